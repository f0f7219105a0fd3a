import { type Repository, sameRepository } from './repository.ts';

const REFERENCE = String.raw`(?:(?:https?:\/\/[^\s/]+\/)?(?<repo>[\w.-]+\/[\w.-]+)(?:#|\/issues\/)|#|GH-)(?<number>[1-9]\d{0,9})(?![\w-])`;
const CLOSING = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?::\s*|\s+)/gi;
const WAITING = /(?<![\w-])(?:blocked\s+by|depends\s+on)(?::\s*|\s+)/gi;
/** As trackers with names like ENG-12 read pull requests: `Fixes ENG-12`, `completes https://linear.app/…/issue/ENG-12`. */
const CLOSING_NAME =
  /(?<![\w-])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|complet(?:e[sd]?|ing))(?::\s*|\s+)(?:https?:\/\/[^\s/]+(?:\/[^\s/]+){0,3}\/)?(?<name>[a-z][a-z0-9]{0,9}-[1-9]\d{0,9})(?![\w-])/gi;
const MORE = /^(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)/i;
const MAX_TEXT_LENGTH = 200_000;

/** Numbers of issues of this repository that merging would close: `Closes #12`, `fixes octo/app#12`, a full address. */
export function closingReferences(text: string, repository: Repository): ReadonlySet<number> {
  return collect(text, CLOSING, repository, false);
}

/** The one issue that a text may close: its number on the forge, if it is there, and its name in the tracker. */
export interface OwnIssue {
  readonly number: number | null;
  readonly identifier: string;
}

/**
 * What merging would close besides one issue, here, in another repository or in the tracker, as it is written. Code,
 * quotations and comments count too: whoever hides a word from us need not hide it from the forge.
 */
export function otherClosings(text: string, repository: Repository, own: OwnIssue): readonly string[] {
  const words = text.slice(0, MAX_TEXT_LENGTH);
  const numbered = findReferences(words, CLOSING, false).flatMap(({ groups, 0: written }) =>
    isOwn(groups, repository) && Number(groups?.['number']) === own.number ? [] : [written],
  );
  const named = [...words.matchAll(CLOSING_NAME)].flatMap(({ groups }) => {
    const name = groups?.['name'] ?? '';
    return /^gh-/i.test(name) || name.toLowerCase() === own.identifier.toLowerCase() ? [] : [name];
  });
  return [...new Set([...numbered, ...named])];
}

/** Numbers of issues of this repository that the text says it waits for: `blocked by #3`, `depends on #4, #5 and #6`. */
export function waitingReferences(text: string, repository: Repository): ReadonlySet<number> {
  return collect(text, WAITING, repository, true);
}

/** True when the text names the issue at all. */
export function mentions(text: string, repository: Repository, number: number): boolean {
  for (const match of withoutCode(text).matchAll(new RegExp(`(?<![\\w/.-])${REFERENCE}`, 'gi'))) {
    if (isOwn(match.groups, repository) && Number(match.groups?.['number']) === number) return true;
  }
  return false;
}

function collect(text: string, verb: RegExp, repository: Repository, lists: boolean): ReadonlySet<number> {
  const own = findReferences(withoutCode(text), verb, lists).filter(({ groups }) =>
    isOwn(groups, repository),
  );
  return new Set(own.map(({ groups }) => Number(groups?.['number'])));
}

function findReferences(words: string, verb: RegExp, lists: boolean): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const reference = new RegExp(REFERENCE, 'iy');
  for (const { index, 0: verbText } of words.matchAll(verb)) {
    reference.lastIndex = index + verbText.length;
    for (;;) {
      const match = reference.exec(words);
      if (match === null) break;
      found.push(match);
      const end = match.index + match[0].length;
      const more = lists ? MORE.exec(words.slice(end, end + 20)) : null;
      if (more === null) break;
      reference.lastIndex = end + more[0].length;
    }
  }
  return found;
}

function isOwn(groups: Readonly<Record<string, string>> | undefined, repository: Repository): boolean {
  const named = groups?.['repo'];
  if (named === undefined) return true;
  const [owner = '', name = ''] = named.split('/');
  return sameRepository({ owner, name }, repository);
}

/** Code, quotations of other texts and hidden comments mean nothing. */
function withoutCode(text: string): string {
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replaceAll(/^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\k<fence>[^\n]*$|$(?![\s\S]))/gm, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/^ {0,3}>.*$/gm, ' ');
}
