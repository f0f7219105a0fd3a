import type { Config } from '../../../config/config.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { LiveRun } from '../../../scheduler/core/state.ts';
import type { Output } from '../report/output.ts';
import type { Worker } from '../start/start-worker.ts';

/** For agents to be ended and for what they left to be looked at. */
const AGENTS_MS = 30_000;
const TELL_EVERY_MS = 5_000;
const SHOWN_RUNS = 5;

/** How long a shutdown may take: the agents' end, then each command of `after_run` within its own limit. */
export function shutdownLimit({ hooks }: Pick<Config, 'hooks'>): number {
  return AGENTS_MS + hooks.afterRun.length * hooks.timeoutMs;
}

export interface ShutDownOptions {
  readonly signal: NodeJS.Signals | null;
  readonly limitMs: number;
  readonly clock: Clock;
  exit(code: number): void;
}

/** Ends a worker and tells meanwhile what it waits for. What is left when the time is up is ended the hard way. */
export async function endWorker(
  worker: Worker,
  { logger, terminal }: Output,
  way: ShutDownOptions,
): Promise<void> {
  const { signal, limitMs, clock } = way;
  const running = (): LiveRun[] => [...worker.orchestrator.state.live.values()];
  const tell = (text: string): void => {
    if (signal !== null) terminal?.tell({ who: null, text, tone: 'start' });
  };
  logger.info('shutting down', { signal, running: running().length, limit_ms: limitMs });
  if (signal === 'SIGINT') terminal?.breakLine();
  tell(goodbye(running(), limitMs));
  const startedAt = clock.elapsed();
  let cancel = (): void => {};
  const wait = (): void => {
    cancel = clock.setTimer(TELL_EVERY_MS, () => {
      const waitedMs = Math.round(clock.elapsed() - startedAt);
      if (waitedMs >= limitMs) {
        void giveUp(waitedMs);
        return;
      }
      const waitsFor = running().map(describe);
      logger.info('waiting for runs to end', { waited_ms: waitedMs, limit_ms: limitMs, runs: waitsFor });
      tell(`still stopping, ${inSeconds(limitMs - waitedMs)} at most: ${listed(waitsFor)}`);
      wait();
    });
  };
  const giveUp = async (waitedMs: number): Promise<void> => {
    logger.error('runs did not end in time; their processes are ended', {
      waited_ms: waitedMs,
      runs: running().map(describe),
    });
    await worker.endChildren();
    way.exit(1);
  };
  wait();
  await worker.shutdown();
  cancel();
  logger.info('stopped');
  tell('stopped');
}

/** What a stop waits for, and what not to wait means. */
function goodbye(runs: readonly LiveRun[], limitMs: number): string {
  if (runs.length === 0) return 'stopping: nothing runs';
  const names = listed(runs.map(({ issue }) => issue.identifier));
  return `stopping: ending the agents of ${names}, at most ${inSeconds(limitMs)}; Ctrl-C again ends them at once`;
}

function describe({ issue, phase }: LiveRun): string {
  return phase === 'Finishing' ? `${issue.identifier} (after_run)` : `${issue.identifier} (its agent ends)`;
}

function listed(names: readonly string[]): string {
  const more = names.length > SHOWN_RUNS ? ` and ${names.length - SHOWN_RUNS} more` : '';
  return names.length === 0 ? 'closing' : `${names.slice(0, SHOWN_RUNS).join(', ')}${more}`;
}

function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
