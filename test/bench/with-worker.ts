import { createClient } from '../../src/contract/client.ts';
import type { StateSnapshot } from '../../src/contract/state.ts';
import { type CliProcess, startCli } from '../e2e/cli/cli.ts';
import { createFixture, type Fixture, type WorkflowSections } from '../e2e/cli/fixture.ts';
import { waitFor } from '../e2e/cli/wait.ts';

export interface Bench {
  readonly fixture: Fixture;
  readonly worker: CliProcess;
  readonly url: string;
  state(): Promise<StateSnapshot>;
}

/** The built program with this workflow and a folder of issues, until `use` is done with it. */
export async function withWorker<T>(
  sections: WorkflowSections,
  use: (bench: Bench) => Promise<T>,
): Promise<T> {
  const fixture = await createFixture(sections);
  const worker = startCli(['worker', '--port', '0', fixture.workflowPath], {
    cwd: fixture.directory,
    env: fixture.env,
  });
  try {
    const url = await waitFor('the worker is ready', () => readyUrl(worker.stderr()), {
      describe: worker.stderr,
    });
    const state = async (): Promise<StateSnapshot> => createClient({ baseUrl: url, fetch }).state();
    return await use({ fixture, worker, url, state });
  } finally {
    worker.kill('SIGTERM');
    await worker.exited;
    await fixture.close();
  }
}

function readyUrl(log: string): string | null {
  const line = log.split('\n').find((candidate) => candidate.includes('"worker ready"'));
  return line === undefined ? null : JSON.parse(line).url.replace(/\/$/, '');
}
