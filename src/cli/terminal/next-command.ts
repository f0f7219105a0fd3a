import type { BlockedRow } from '../../contract/claim-rows.ts';

/** The worker that a command line named; nothing for the one of this folder. */
export interface NamedWorker {
  readonly workflow?: string;
  readonly url?: string;
}

/** A word of a command line, quoted where a shell would read it otherwise. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** `aiops WORDS`, with the worker that was named for this command. */
export function commandFor(words: readonly string[], { workflow, url }: NamedWorker): string {
  const place = [
    ...(workflow === undefined ? [] : ['--workflow', workflow]),
    ...(url === undefined ? [] : ['--url', url]),
  ];
  return ['aiops', ...words, ...place].map(shellWord).join(' ');
}

/** What a person can run next about an issue that waits for them, the most likely first. */
export function nextCommands(
  { issue_identifier: issue, method, question }: Pick<BlockedRow, 'issue_identifier' | 'method' | 'question'>,
  target: NamedWorker,
): readonly string[] {
  const retry = commandFor(['retry', issue], target);
  const unblock = commandFor(['unblock', issue], target);
  if (question !== undefined && question !== '')
    return [commandFor(['answer', issue, 'YOUR ANSWER'], target), retry];
  if (method === 'not_pushed') return [commandFor(['push', issue], target), retry];
  if (method === 'operator') return [retry];
  return method === 'no_progress' ? [retry, unblock] : [unblock];
}
