import { AppError, messageOf } from '../errors/app-error.ts';
import { type Check, fail, type Status, type Verdict } from './check.ts';

export interface Finding extends Verdict {
  readonly id: string;
  readonly title: string;
  readonly durationMs: number;
}

export interface RunOptions {
  /** The longest a check may take; a check that takes longer has failed. */
  readonly timeoutMs: number;
  /** Applied to every text that comes out. */
  redact(text: string): string;
  /** Called once with nothing done, then after each check. `open` are the titles of those under way. */
  onProgress(done: number, open: readonly string[]): void;
}

/** All at once; the findings are in the order of the checks. Never rejects. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<readonly Finding[]> {
  const open = new Set(checks);
  const tell = (): void =>
    options.onProgress(
      checks.length - open.size,
      [...open].map(({ title }) => title),
    );
  tell();
  return Promise.all(
    checks.map(async (check) => {
      const started = performance.now();
      const { status, text, fix } = await judge(check, options.timeoutMs);
      open.delete(check);
      tell();
      return {
        id: check.id,
        title: check.title,
        status,
        text: options.redact(text),
        fix: fix === null ? null : options.redact(fix),
        durationMs: Math.round(performance.now() - started),
      };
    }),
  );
}

/** A check that does not listen to its signal is left behind: the answer comes in time all the same. */
async function judge(check: Check, timeoutMs: number): Promise<Verdict> {
  const abort = new AbortController();
  const late = fail(
    `no answer within ${timeoutMs / 1000} s`,
    'Look at the load of this machine and at its network, then run `aiops doctor` again.',
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => {
      resolve(late);
      abort.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([check.run(abort.signal), timeout]);
  } catch (error) {
    return fail(messageOf(error), hintOf(error));
  } finally {
    clearTimeout(timer);
  }
}

function hintOf(error: unknown): string {
  const hint = error instanceof AppError ? error.hint : null;
  return hint ?? 'This check itself failed; please report it.';
}

export function worstOf(findings: readonly Finding[]): Status {
  const statuses = findings.map(({ status }) => status);
  return statuses.includes('fail') ? 'fail' : statuses.includes('warn') ? 'warn' : 'ok';
}
