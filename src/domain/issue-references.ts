import { type Repository, sameRepository } from './repository.ts';

const REFERENCE = String.raw`(?:(?:https?:\/\/[^\s/]+\/)?(?<repo>[\w.-]+\/[\w.-]+)(?:#|\/issues\/)|#|GH-)(?<number>[1-9]\d{0,9})(?![\w-])`;
const CLOSING = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?::\s*|\s+)/gi;
const WAITING = /(?<![\w-])(?:blocked\s+by|depends\s+on)(?::\s*|\s+)/gi;
const MORE = /^(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)/i;
const LONGEST_TEXT = 200_000;

/** Numbers of issues of this repository that merging would close: `Closes #12`, `fixes octo/app#12`, a full address. */
export function closingReferences(text: string, repository: Repository): ReadonlySet<number> {
  return collect(text, CLOSING, repository, false);
}

/** What merging would close besides one issue, here or in another repository, as it is written. */
export function otherClosings(text: string, repository: Repository, number: number): readonly string[] {
  return findReferences(text, CLOSING, false).flatMap(({ groups, 0: written }) =>
    isOwn(groups, repository) && Number(groups?.['number']) === number ? [] : [written],
  );
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
  const own = findReferences(text, verb, lists).filter(({ groups }) => isOwn(groups, repository));
  return new Set(own.map(({ groups }) => Number(groups?.['number'])));
}

function findReferences(text: string, verb: RegExp, lists: boolean): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const words = withoutCode(text);
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
    .slice(0, LONGEST_TEXT)
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replaceAll(/^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\k<fence>[^\n]*$|$(?![\s\S]))/gm, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/^ {0,3}>.*$/gm, ' ');
}
