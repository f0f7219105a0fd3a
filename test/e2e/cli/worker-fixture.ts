import { onTestFinished } from 'vitest';
import { findRecord } from '../../../src/cli/record/worker-record.ts';
import type { RunningRow } from '../../../src/contract/claim-rows.ts';
import { type ApiClient, createClient } from '../../../src/contract/client.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { type CliExit, type CliProcess, startCli } from './cli.ts';
import { createFixture, type Fixture, type WorkflowSections } from './fixture.ts';
import { type WaitOptions, waitFor } from './wait.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** `aiops worker` on a fixture, as a person would start it, seen through its log, its API and its process. */
export interface WorkerProcess extends Omit<CliProcess, 'printed'> {
  readonly url: string;
  readonly client: ApiClient;
  log(): readonly LogLine[];
  /** Resolves with the first state, read from the API, for which `look` finds something. */
  until<T>(what: string, look: (state: StateSnapshot) => T | null | false, options?: WaitOptions): Promise<T>;
  /** Resolves with the issue's live row once its agent has done `after`, by default once its process is known. */
  untilRunning(id: string, after?: (row: RunningRow) => boolean): Promise<RunningRow>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<CliExit>;
}

/** A fixture that is closed with the test that asked for it; its workers are ended first. */
export async function openFixture(sections: WorkflowSections = {}): Promise<Fixture> {
  const fixture = await createFixture(sections);
  onTestFinished(() => fixture.close());
  return fixture;
}

/** Starts a worker and waits until it says that it is ready. It is ended with the test. */
export async function startWorker(fixture: Fixture, args: readonly string[] = []): Promise<WorkerProcess> {
  const { ready, process: started } = launchWorker(fixture, args);
  onTestFinished(() => endGently(started));
  return ready;
}

export interface LaunchedWorker {
  readonly process: CliProcess;
  /** Rejects when the worker ends before it is ready. */
  readonly ready: Promise<WorkerProcess>;
}

export function launchWorker(fixture: Fixture, args: readonly string[] = []): LaunchedWorker {
  const cli = startCli(['worker', '--port', '0', ...args, fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  const log = (): readonly LogLine[] => parseLog(cli.stderr());
  const ready = becomeReady(cli, log, fixture);
  // A test that kills the worker at once is not interested in this failure.
  ready.catch(() => {});
  return { process: cli, ready };
}

async function becomeReady(
  cli: CliProcess,
  log: () => readonly LogLine[],
  fixture: Fixture,
): Promise<WorkerProcess> {
  const died = cli.exited.then((exit) => {
    throw new Error(`the worker ended before it was ready (${JSON.stringify(exit)}):\n${cli.stderr()}`);
  });
  const readyUrl = waitFor(
    'the worker says that it is ready',
    () => {
      const line = log().find(({ msg }) => msg === 'worker ready');
      return typeof line?.['url'] === 'string' ? line['url'] : null;
    },
    { describe: cli.stderr },
  );
  readyUrl.catch(() => {});
  const url = await Promise.race([readyUrl, died]);
  const record = await findRecord(fixture.workflowPath, fixture.env);
  if (record === null) throw new Error('the worker left no record');
  return attach(cli, url, record.token, log);
}

function attach(cli: CliProcess, url: string, token: string, log: () => readonly LogLine[]): WorkerProcess {
  const client = createClient({ baseUrl: url, fetch, token });
  const until: WorkerProcess['until'] = (what, look, options = {}) => {
    let last: StateSnapshot | null = null;
    return waitFor(
      what,
      async () => {
        last = await client.state();
        return look(last);
      },
      { describe: () => describeState(last, cli), ...options },
    );
  };
  return {
    ...cli,
    url,
    client,
    log,
    until,
    untilRunning: (id, after = (row) => row.codex_app_server_pid !== undefined) =>
      until(`${id} is running`, ({ running }) => {
        const row = running.find((candidate) => candidate.issue_identifier === id);
        return row !== undefined && after(row) ? row : null;
      }),
    end(signal) {
      cli.kill(signal);
      return cli.exited;
    },
  };
}

/** Complete lines only; one that is no JSON is kept as text, for the test to stumble over. */
export function parseLog(text: string): readonly LogLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return typeof value === 'object' && value !== null ? { ...value } : { text: line };
      } catch {
        return { text: line };
      }
    });
}

async function endGently(cli: CliProcess): Promise<void> {
  cli.kill('SIGTERM');
  const timer = setTimeout(() => cli.kill('SIGKILL'), 20_000);
  await cli.exited;
  clearTimeout(timer);
}

function describeState(state: StateSnapshot | null, cli: CliProcess): string {
  const rows = state === null ? null : pickRows(state);
  return `state: ${JSON.stringify(rows, null, 1)}\nlog:\n${cli.stderr().split('\n').slice(-15).join('\n')}`;
}

function pickRows({ running, blocked, retrying, waiting, ended, recent_events }: StateSnapshot) {
  return {
    running,
    blocked,
    retrying,
    waiting,
    ended: ended.slice(0, 5),
    events: recent_events.slice(0, 10),
  };
}
