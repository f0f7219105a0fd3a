import { fail, type Status, skip, type Verdict } from '../../domain/verdict.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Check } from '../check.ts';
import { mayHeal } from '../passing.ts';

/** What a check found, as one: the worst of its verdicts, and all their texts. */
export interface Finding extends Verdict {
  readonly id: string;
  readonly title: string;
  readonly durationMs: number;
  /** Each for itself; at least one. */
  readonly verdicts: readonly Verdict[];
}

export interface RunOptions {
  /** The longest a check may take; a check that takes longer has failed. */
  readonly timeoutMs: number;
  /** Applied to every text that comes out. */
  redact(text: string): string;
  /** Called once with nothing done, then after each check. `open` are the titles of those under way. */
  onProgress(done: number, open: readonly string[]): void;
  /** Called with each finding as soon as there is one. */
  onFinding?(finding: Finding): void;
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
      const verdicts = await judge(check, options.timeoutMs);
      open.delete(check);
      tell();
      const durationMs = Math.round(performance.now() - started);
      const cleaned = verdicts.map((verdict) => clean(verdict, options.redact));
      const finding = findingOf(check, cleaned, durationMs);
      options.onFinding?.(finding);
      return finding;
    }),
  );
}

/** A check that does not listen to its signal is left behind: the answer comes in time all the same. */
async function judge(check: Check, timeoutMs: number): Promise<readonly Verdict[]> {
  const abort = new AbortController();
  const late = fail(
    `no answer within ${timeoutMs / 1000} s`,
    'Look at the load of this machine and at its network, then run `aiops doctor` again.',
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => {
      resolve({ ...late, heals: true });
      abort.abort();
    }, timeoutMs);
  });
  try {
    const found = await Promise.race([check.run(abort.signal), timeout]);
    return 'status' in found ? [found] : found;
  } catch (error) {
    return [{ ...fail(messageOf(error), hintOf(error)), heals: mayHeal(error) }];
  } finally {
    clearTimeout(timer);
  }
}

function clean(verdict: Verdict, redact: (text: string) => string): Verdict {
  const { text, fix } = verdict;
  return { ...verdict, text: redact(text), fix: fix === null ? null : redact(fix) };
}

function findingOf({ id, title }: Check, verdicts: readonly Verdict[], durationMs: number): Finding {
  const bad = verdicts.filter(({ status }) => status === 'fail');
  const [first = skip('nothing to say')] = bad.length > 0 ? bad : verdicts;
  const fixes = [...new Set(verdicts.flatMap(({ fix }) => fix ?? []))];
  return {
    id,
    title,
    status: first.status,
    text: verdicts.map(({ text }) => text).join('\n'),
    fix: fixes.length === 0 ? null : fixes.join(' '),
    key: first.key,
    heals: bad.length > 0 && bad.every(({ heals }) => heals),
    durationMs,
    verdicts,
  };
}

function hintOf(error: unknown): string {
  const hint = error instanceof AppError ? error.hint : null;
  return hint ?? 'This check itself failed; please report it.';
}

export function worstOf(findings: readonly Finding[]): Status {
  const statuses = findings.map(({ status }) => status);
  return statuses.includes('fail') ? 'fail' : statuses.includes('warn') ? 'warn' : 'ok';
}
