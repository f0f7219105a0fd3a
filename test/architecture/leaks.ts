/** What must never be committed, with a word for the message. Written so that this file does not match itself. */
export interface Leak {
  readonly what: string;
  readonly pattern: RegExp;
}

const word = (...parts: readonly string[]): string => parts.join('');

const MARKER = `${word('TO', 'DO')}|${word('FIX', 'ME')}`;

export const LEAKS: readonly Leak[] = [
  {
    what: 'a path of somebody’s machine',
    pattern: /(?<![\w.$}~-])\/(?:home|Users)\/(?!(?:me|you|user|worker|x)\b)[a-z]\w*/,
  },
  { what: 'a path of somebody’s machine', pattern: /(?<![\w.$}~/-])\/(?:root|work)\/\w/ },
  {
    what: 'a package registry',
    pattern: /\/\/[\w.-]*(?:registry|artifactory|verdaccio|nexus|npm-proxy)[\w.-]*(?::\d+)?\//,
  },
  {
    what: 'an unfinished-work marker',
    pattern: new RegExp(`(?:(?://|#|\\*|<!--)\\s*(?:${MARKER})\\b|\\b(?:${MARKER})[:(])`),
  },
  { what: 'a focused or disabled test', pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip)\b/ },
  { what: 'a silenced check', pattern: new RegExp(`@ts-(?:${word('ig', 'nore')}|${word('no', 'check')})`) },
];

/** A lockfile records where packages came from unless npm is told not to. */
export const LOCKFILE_LEAK: Leak = { what: 'the source of a package', pattern: /"resolved":/ };

export function leaksIn(path: string, text: string): readonly string[] {
  const leaks = path.endsWith('package-lock.json') ? [...LEAKS, LOCKFILE_LEAK] : LEAKS;
  return text
    .split('\n')
    .flatMap((line, index) =>
      leaks
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what, pattern }) => `${path}:${index + 1}: ${what}: ${pattern.exec(line)?.[0]}`),
    );
}
