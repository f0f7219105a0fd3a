import { createClient } from '../../contract/client.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CliIo } from '../io.ts';
import { formatTold } from '../terminal/format-told.ts';
import { NOTHING_TOLD, narrate, type Told } from '../terminal/narrate.ts';
import { wantsColor } from '../terminal/tones.ts';
import { createGit, type Git } from './demo-git.ts';
import { approve } from './reviewer.ts';
import { DEMO_ISSUES } from './scenario.ts';
import type { Scratch } from './scratch.ts';
import { collectFacts, type DemoFact, isFinished } from './summary.ts';
import { type DemoWorker, startDemoWorker } from './worker-process.ts';

const LOOK_EVERY_MS = 150;

export interface DemoRun {
  readonly io: CliIo;
  readonly clock: Clock;
  readonly scratch: Scratch;
  readonly port: number;
  /** The demo gives up after this long. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface DemoResult {
  readonly worker: DemoWorker;
  readonly facts: readonly DemoFact[];
}

/** Runs the worker on the scratch directory, tells what happens, and plays the reviewer, until all is as it should be. */
export async function runDemo(run: DemoRun): Promise<DemoResult> {
  const { io, clock, scratch, signal } = run;
  const git = createGit(io.environment);
  const startedAt = clock.elapsed();
  const approved = new Set<string>();
  let told: Told = NOTHING_TOLD;
  let worker = await startDemoWorker(scratch.workflowPath, run.port, io.environment, signal);
  try {
    io.stdout(`The worker is up. Watch it live: ${worker.url}/\n\n`);
    for (;;) {
      signal.throwIfAborted();
      if (worker.hasExited()) {
        io.stdout('worker  was killed; starting it again\n');
        worker = await startDemoWorker(scratch.workflowPath, run.port, io.environment, signal);
      }
      const snapshot = await readState(worker.url);
      const late = clock.elapsed() - startedAt > run.limitMs;
      if (snapshot === null) {
        if (late)
          throw new AppError('response_timeout', `the demo's worker at ${worker.url} does not answer`);
      } else {
        const narration = narrate(snapshot, told, { activityMs: 0 });
        told = narration.told;
        const style = { color: wantsColor(io.environment, io.interactive), columns: io.columns?.() ?? null };
        for (const line of narration.lines)
          io.stdout(formatTold(line, elapsed(clock.elapsed() - startedAt), style));
        const facts = await collectFacts(scratch, git, snapshot);
        await playReviewer(run, git, snapshot, facts, approved);
        const idle = snapshot.running.length === 0 && snapshot.retrying.length === 0;
        if (idle && isFinished(facts)) return { worker, facts };
        if (late) return { worker, facts };
      }
      await pause(clock, LOOK_EVERY_MS);
    }
  } catch (error) {
    await worker.stop();
    throw error;
  }
}

/** Approves what the scenario wants approved, once its run is over. */
async function playReviewer(
  run: DemoRun,
  git: Git,
  snapshot: StateSnapshot,
  facts: readonly DemoFact[],
  approved: Set<string>,
): Promise<void> {
  for (const issue of DEMO_ISSUES) {
    if (issue.ends.kind !== 'approved' || approved.has(issue.id)) continue;
    const fact = facts.find((candidate) => candidate.issue.id === issue.id);
    const busy = snapshot.running.some((row) => row.issue_identifier === issue.id);
    if (fact?.state !== 'Human Review' || busy) continue;
    approved.add(issue.id);
    run.io.stdout(`        you     review ${issue.id}, merge its branch and move it to Done\n`);
    await approve(run.scratch, git, issue.id, run.clock.now());
  }
}

async function readState(url: string): Promise<StateSnapshot | null> {
  try {
    return await createClient({ baseUrl: url, fetch }).state();
  } catch {
    return null;
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(ms, resolve));
}

function elapsed(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(5)}s`;
}
