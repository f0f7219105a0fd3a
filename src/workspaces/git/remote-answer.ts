import { createRedactor } from '../../observability/redact.ts';
import type { GitCredential } from './credential.ts';
import { stripUrlCredentials } from './repository-url.ts';

const MAX_LINES = 100;
const MAX_LINE = 500;

/** How the remote took one ref, by `git push --porcelain`. */
export interface RefAnswer {
  /** `=` it had it, ` ` moved on, `*` new, `+` replaced, `!` refused. */
  readonly flag: string;
  readonly summary: string;
}

/** The line about the ref; null when git gave up before. */
export function readRefAnswer(stdout: string, ref: string): RefAnswer | null {
  for (const line of stdout.split('\n')) {
    const [flag = '', names = '', summary = ''] = line.split('\t');
    if (flag.length === 1 && names.endsWith(`:${ref}`)) return { flag, summary };
  }
  return null;
}

/** What the remote itself said, its hooks included, fit to be shown: no control characters, no credential, no flood. */
export function remoteLines(stderr: string, credential: GitCredential | null): readonly string[] {
  const said = stderr.split(/[\r\n]+/).flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1] ?? []);
  const clean = said.map((line) => cleanLine(line, credential)).filter((line) => line !== '');
  if (clean.length <= MAX_LINES) return clean;
  return [...clean.slice(0, MAX_LINES), `… ${clean.length - MAX_LINES} more lines`];
}

export function cleanLine(line: string, credential: GitCredential | null): string {
  const secret = credential?.password ?? credential?.username ?? '';
  // Also as a header carries it: a remote that repeats what it was sent tells the agent nothing.
  const { redact } = createRedactor({ secrets: [secret] });
  return (
    stripUrlCredentials(redact(line))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is taken out
      .replace(/\u001b(\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007?)/g, '')
      .replace(/\p{Cc}|\p{Cf}/gu, ' ')
      .trimEnd()
      .slice(0, MAX_LINE)
  );
}
