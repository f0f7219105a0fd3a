import { AppError } from '../../errors/app-error.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { maskUserInfo } from '../resolve/clone-url.ts';

/** Something wrong or doubtful in a workflow file, said so that its author can act on it. */
export interface ConfigProblem {
  readonly code: ErrorCode;
  /** Absolute path of the workflow file. */
  readonly file: string;
  /** 1-based line of the file; null when the problem has no place in it. */
  readonly line: number | null;
  /** Dotted key as written, e.g. `tracker.active_states[1]`. */
  readonly key: string | null;
  /** What is wrong; never the value of a secret or of a variable. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}

const MAX_QUOTE = 60;
/** Shorter texts are hidden only where they are quoted: they are part of too many words. */
const MIN_SECRET_LENGTH = 6;

/** A written value for a message: on one line, without control characters or the user part of addresses, cut short. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const clean = maskUserInfo(text).replace(/[\p{C}\p{Z}]+/gu, ' ');
  return clean.length > MAX_QUOTE ? `"${clean.slice(0, MAX_QUOTE)}…"` : `"${clean}"`;
}

/** The problem without any of these texts in it. */
export function hideSecrets(problem: ConfigProblem, secrets: ReadonlySet<string>): ConfigProblem {
  const hide = (text: string) => {
    let clean = text;
    for (const secret of secrets) {
      const quoted = quote(secret);
      clean = clean.replaceAll(quoted, '"***"');
      if (secret.length >= MIN_SECRET_LENGTH) {
        clean = clean.replaceAll(secret, '***').replaceAll(quoted.slice(1, -1), '***');
      }
    }
    return clean;
  };
  const key = problem.key === null ? null : hide(problem.key);
  return { ...problem, key, message: hide(problem.message), hint: hide(problem.hint) };
}

/** `file:line: message`, with the hint on a line of its own. */
export function formatProblem(problem: ConfigProblem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}: ${problem.message}\n  ${problem.hint}`;
}

/** One error for all problems of a file: its code is the first problem's, its text names them all. */
export function problemsToError(problems: readonly ConfigProblem[]): AppError {
  const first = problems[0];
  if (first === undefined)
    return new AppError('internal_error', 'the workflow failed to load without a problem');
  const context = {
    file: first.file,
    problems: problems.map(({ code, line, key, message }) => ({ code, line, key, message })),
  };
  if (problems.length === 1) {
    const place = first.line === null ? first.file : `${first.file}:${first.line}`;
    return new AppError(first.code, `${place}: ${first.message}`, { hint: first.hint, context });
  }
  return new AppError(
    first.code,
    `${first.file} has ${problems.length} problems\n${problems.map(formatProblem).join('\n')}`,
    { hint: 'Fix each line named above; `aiops config check` lists them again.', context },
  );
}
