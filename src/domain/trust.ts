import type { Author, Issue } from './issue.ts';

/** Whose texts may reach an agent. Everything is trimmed and lower-case; a text needs one match in any list. */
export interface TrustRules {
  /** Logins, ids or email addresses. */
  readonly authors: readonly string[];
  /** How an account may stand to the repository, on trackers that say so. */
  readonly associations: readonly string[];
  /** Labels by which a person vouches for an issue, whoever wrote it. They say nothing about its comments. */
  readonly labels: readonly string[];
}

/** What the gate looks at. */
export type TrustFacts = Pick<Issue, 'author' | 'labels'>;

/** Whether rules (null: none were set, all may pass) let in what this author wrote. An unknown author is never let in. */
export function trustsAuthor(author: Author | null, rules: TrustRules | null): boolean {
  if (rules === null) return true;
  if (author === null) return false;
  if (author.names.some((name) => rules.authors.includes(fold(name)))) return true;
  return author.association !== null && rules.associations.includes(fold(author.association));
}

/** Why an issue may not run although its state and labels say so, for people; null when it may. */
export function whyUntrusted({ author, labels }: TrustFacts, rules: TrustRules | null): string | null {
  if (rules === null || trustsAuthor(author, rules)) return null;
  if (labels.some((label) => rules.labels.includes(fold(label)))) return null;
  const by = author === null ? 'nobody knows who wrote it' : `written by ${describe(author)}`;
  const remedy = rules.labels.length === 0 ? '' : `; the label ${rules.labels.join(' or ')} lets it run`;
  return `not trusted: ${by}, and tracker.trust lets in only those it names${remedy}`;
}

function describe({ names: [name = 'somebody without a name'], association }: Author): string {
  return association === null ? name : `${name} (${association})`;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
