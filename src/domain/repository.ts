/** `owner/name`, as the forge spells it; compare with `sameRepository`. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** Null when the text is not `owner/name`, or has a part that would change the meaning of a path. */
export function parseRepository(text: unknown): Repository | null {
  if (typeof text !== 'string') return null;
  const match = /^(?<owner>[\w.-]+)\/(?<name>[\w.-]+)$/.exec(text.trim());
  const { owner = '', name = '' } = match?.groups ?? {};
  return [owner, name].some((part) => /^\.*$/.test(part)) ? null : { owner, name };
}

export function sameRepository(a: Repository, b: Repository): boolean {
  return repositoryKey(a) === repositoryKey(b);
}

export function repositoryKey({ owner, name }: Repository): string {
  return `${owner}/${name}`.toLowerCase();
}

/** Where the REST APIs of forges have it. */
export function repositoryPath({ owner, name }: Repository): string {
  return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}
