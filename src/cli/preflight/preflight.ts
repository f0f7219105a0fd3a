import type { Check } from '../../doctor/check.ts';
import { type Finding, runChecks } from '../../doctor/run/run-checks.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { StandingWarnings } from '../../orchestrator/history/standing-warnings.ts';

/** How long a start waits for answers; what comes later is a warning. */
const WINDOW_MS = 3_000;
/** The longest that one check may take behind the back of a running worker. */
const CHECK_MS = 30_000;
const FIRST_LOOK_AGAIN_MS = 10_000;
const LAST_LOOK_AGAIN_MS = 300_000;

export interface PreflightOptions {
  readonly clock: Clock;
  readonly warnings: StandingWarnings;
  redact(text: string): string;
  /** The first wait before what is wrong is looked at again; each wait is twice the one before, up to five minutes. */
  readonly lookAgainMs?: number;
}

/**
 * Goes through the rules of set-up when a worker starts or takes on another workflow. What is definitely wrong stops the
 * start; what may be over soon, or comes too late, is a standing warning that is looked at again until it is over.
 */
export class Preflight {
  readonly #options: PreflightOptions;
  /** Counts the sets of checks, so that answers about an old workflow change nothing. */
  #generation = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: PreflightOptions) {
    this.#options = options;
  }

  /** Rejects with `setup_broken`, which tells everything that is wrong and its fix. */
  async start(checks: readonly Check[]): Promise<void> {
    const found: Finding[] = [];
    let late = false;
    const generation = this.#begin();
    const all = this.#run(checks, (finding) => {
      if (late) this.#note(finding, generation);
      else found.push(finding);
    });
    const waited = new Waiting(this.#options.clock, WINDOW_MS);
    await Promise.race([all, waited.over]);
    waited.end();
    late = true;
    const broken = found.filter((finding) => stops(finding, checks));
    if (broken.length > 0) {
      this.stop();
      throw brokenSetup(broken);
    }
    for (const finding of found) this.#note(finding, generation);
    this.#lookAgainAfter(all, checks, this.#options.lookAgainMs ?? FIRST_LOOK_AGAIN_MS, generation);
  }

  /** Rejects with `setup_broken` when one of these checks fails for good; nothing else comes of them. */
  async refuse(checks: readonly Check[]): Promise<void> {
    const found: Finding[] = [];
    await this.#run(checks, (finding) => void found.push(finding));
    const broken = found.filter((finding) => stops(finding, checks));
    if (broken.length > 0) throw brokenSetup(broken);
  }

  /** For a worker that runs: nothing stops it, everything that is wrong is a warning. */
  follow(checks: readonly Check[]): void {
    const known = new Set(checks.map(({ id }) => id));
    for (const { id } of this.#options.warnings.list) if (!known.has(id)) this.#options.warnings.end(id);
    const generation = this.#begin();
    const all = this.#run(checks, (finding) => this.#note(finding, generation));
    this.#lookAgainAfter(all, checks, this.#options.lookAgainMs ?? FIRST_LOOK_AGAIN_MS, generation);
  }

  stop(): void {
    this.#begin();
  }

  #begin(): number {
    this.#cancelTimer();
    this.#generation += 1;
    return this.#generation;
  }

  #run(checks: readonly Check[], onFinding: (finding: Finding) => void): Promise<unknown> {
    const { redact } = this.#options;
    return runChecks(checks, { timeoutMs: CHECK_MS, redact, onProgress() {}, onFinding });
  }

  #note({ id, status, text, fix }: Finding, generation: number): void {
    if (generation !== this.#generation) return;
    const { warnings } = this.#options;
    if (status === 'fail' || status === 'warn') warnings.begin(id, text, fix);
    else warnings.end(id);
  }

  /** Only what is a warning then, and what may become one; more rarely each time. */
  #lookAgainAfter(
    before: Promise<unknown>,
    checks: readonly Check[],
    delayMs: number,
    generation: number,
  ): void {
    void before.then(() => {
      if (generation !== this.#generation) return;
      this.#cancelTimer = this.#options.clock.setTimer(delayMs, () => {
        const standing = new Set(this.#options.warnings.list.map(({ id }) => id));
        const again = checks.filter(({ id, watched }) => watched === true || standing.has(id));
        if (again.length === 0) return;
        const all = this.#run(again, (finding) => this.#note(finding, generation));
        this.#lookAgainAfter(all, checks, Math.min(delayMs * 2, LAST_LOOK_AGAIN_MS), generation);
      });
    });
  }
}

/** A wait that can be cut short. */
class Waiting {
  readonly over: Promise<void>;
  #cancel: () => void = () => {};

  constructor(clock: Clock, delayMs: number) {
    this.over = new Promise((resolve) => {
      this.#cancel = clock.setTimer(delayMs, resolve);
    });
  }

  end(): void {
    this.#cancel();
  }
}

function stops({ id, status, heals }: Finding, checks: readonly Check[]): boolean {
  return status === 'fail' && !heals && checks.find((check) => check.id === id)?.optional !== true;
}

/** One error for all that is wrong, with the fix of each. */
export function brokenSetup(broken: readonly Finding[]): AppError {
  const problems = broken.flatMap(({ title, verdicts }) =>
    verdicts
      .filter(({ status }) => status === 'fail')
      .map(({ text, fix }) => `${title}: ${text}${fix === null ? '' : `\n  Fix: ${fix}`}`),
  );
  const [only = ''] = problems;
  const many = `the worker does not start: ${problems.length} things cannot work`;
  return new AppError(
    'setup_broken',
    problems.length === 1 ? `the worker does not start. ${only}` : [many, ...problems].join('\n'),
    {
      hint: '`aiops doctor` shows the whole list.',
      context: { rules: broken.map(({ id }) => id) },
    },
  );
}
