import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRecord } from '../../../src/cli/record/worker-record.ts';
import { deleteTree } from '../../../src/workspaces/removal/remove-tree.ts';
import { git } from '../../e2e/cli/git.ts';
import { createStage, type Stage } from '../../e2e/cli/stage.ts';
import { waitFor } from '../../e2e/cli/wait.ts';
import { launchWorker, type WorkerProcess } from '../../e2e/cli/worker-harness.ts';
import type { FakeForge } from '../../fakes/forge/server.ts';
import { FAKE_TOKEN, startFakeGithub } from '../../fakes/github/server.ts';
import { FAKE_KEY, FakeLinear } from '../../fakes/linear/server.ts';
import { PROJECT_SLUG } from '../../fakes/linear/store.ts';
import type { Step } from '../attacks/attack.ts';

const AGENT = fileURLToPath(new URL('../../fakes/codex/hostile-agent.mjs', import.meta.url));
export const CANARY = 'canary-3f9c1d-of-somebody-else';

export interface Order {
  readonly steps?: readonly Step[];
  readonly end: 'wait' | 'finish';
}

/** A worker as a user has it, with Linear, GitHub and bubblewrap, and next to it what it must not give away. */
export interface HostileStage {
  readonly stage: Stage;
  readonly linear: FakeLinear;
  readonly github: FakeForge;
  readonly worker: WorkerProcess;
  /** Nothing of it may ever reach an agent. */
  readonly secrets: readonly string[];
  /** A repository of somebody else. */
  readonly foreign: string;
  readonly foreignHead: string;
  readonly mirrorRoot: string;
  /** The runs under way, by issue; asked at most a few times a second, however many want to know. */
  running(): Promise<ReadonlyMap<string, string>>;
  /** Writes down what the agent of an issue has to do. */
  order(id: string, order: Order): void;
  close(): Promise<void>;
}

export async function openHostileStage(agentsAtOnce: number): Promise<HostileStage> {
  const linear = await FakeLinear.start();
  const github = await startFakeGithub();
  const bare = await createStage();
  const env = { ...bare.env, LINEAR_API_KEY: FAKE_KEY, GITHUB_TOKEN: FAKE_TOKEN };
  const stage = { ...bare, env };
  await writeWorkflow(stage, linear, github, agentsAtOnce);
  const foreign = plantSecrets(stage);
  const { process: started, ready } = launchWorker(stage);
  const worker = await ready;
  const record = await findRecord(stage.workflowPath, env);
  return {
    stage,
    linear,
    github,
    worker,
    foreign,
    foreignHead: git(foreign, 'rev-parse', 'HEAD'),
    mirrorRoot: join(stage.directory, 'mirrors'),
    running: createLook(worker),
    secrets: [CANARY, FAKE_KEY, FAKE_TOKEN, record?.token ?? 'no token'],
    order(id, order) {
      const text = Buffer.from(JSON.stringify(order)).toString('base64');
      const issue = linear.store.issue(id);
      issue.description = `<<<${text}>>>`;
      issue.updatedAt = new Date(Date.parse(issue.updatedAt) + 1_000).toISOString();
    },
    async close() {
      started.kill('SIGTERM');
      await started.exited;
      for (const { pid } of stage.processes()) process.kill(pid, 'SIGKILL');
      await deleteTree(stage.directory);
      await linear.stop();
      await github.stop();
    },
  };
}

const LOOK_EVERY_MS = 100;

function createLook(worker: WorkerProcess): () => Promise<ReadonlyMap<string, string>> {
  let asked: Promise<ReadonlyMap<string, string>> | null = null;
  let askedAt = 0;
  return () => {
    if (asked === null || performance.now() - askedAt > LOOK_EVERY_MS) {
      askedAt = performance.now();
      asked = worker.client
        .state()
        .then(({ running }) => new Map(running.map((row) => [row.issue_identifier, row.run_id])));
    }
    return asked;
  };
}

async function writeWorkflow(
  stage: Stage,
  linear: FakeLinear,
  github: FakeForge,
  agentsAtOnce: number,
): Promise<void> {
  await stage.writeWorkflow({
    repo: { owner: 'octo', name: 'app', token: '$GITHUB_TOKEN' },
    forge: { kind: 'github', endpoint: github.origin },
    agent: {
      default: 'codex-app-server',
      max_concurrent_agents: agentsAtOnce,
      max_turns: 2,
      max_retry_backoff_ms: 300,
      timeout: '5h',
    },
    // A command of the workflow that an agent can hold: the stop must end it, too.
    hooks: { after_run: 'cat README.md gate >/dev/null 2>&1; true' },
    // The neighbour says nothing for as long as all attacks take.
    codex: { command: `'${AGENT}'`, stall_timeout_ms: 0 },
    sandbox: {
      enabled: true,
      backend: 'bubblewrap',
      network: 'normal',
      env_allowlist: ['PATH', 'HOME', 'LANG'],
    },
  });
  const tracker = {
    kind: 'linear',
    endpoint: linear.url,
    project_slug: PROJECT_SLUG,
    terminal_states: ['Done', 'Cancelled'],
  };
  const local = readFileSync(stage.workflowPath, 'utf8').replace(/tracker:\n(?: .*\n)+/, '');
  writeFileSync(stage.workflowPath, local.replace('---\n', `---\ntracker: ${JSON.stringify(tracker)}\n`));
}

/** Where an agent would look for something of somebody else. Returns a repository that is none of its business. */
function plantSecrets(stage: Stage): string {
  const home = stage.env['HOME'] ?? '';
  for (const name of ['.secret', '.netrc', '.ssh/id', '.aws/credentials']) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), CANARY);
  }
  const foreign = join(stage.directory, 'foreign');
  mkdirSync(foreign);
  git(foreign, 'init', '-q', '-b', 'main');
  writeFileSync(join(foreign, 'secret.txt'), CANARY);
  git(foreign, 'add', '.');
  git(foreign, 'commit', '-q', '-m', 'Secret');
  const mirrors = join(stage.directory, 'mirrors', 'somebody.git');
  mkdirSync(mirrors, { recursive: true, mode: 0o700 });
  writeFileSync(join(mirrors, 'config'), `[remote "origin"]\n\turl = https://user:${CANARY}@example.com/x\n`);
  return foreign;
}

/** An issue whose agent lives through all attacks, with something in its workspace that nobody else may read. */
export async function startNeighbour({ linear, stage, worker, order }: HostileStage): Promise<{
  readonly id: string;
  readonly identifier: string;
  readonly workspace: string;
}> {
  const issue = linear.store.addIssue({ state: 'Todo', title: 'Somebody else' });
  order(issue.id, { steps: [{ sh: `echo ${CANARY} > secret.txt` }], end: 'wait' });
  await worker.client.refresh();
  const identifier = linear.store.identifierOf(issue);
  const workspace = stage.workspace(identifier);
  await waitFor('the neighbour works', () => existsSync(join(workspace, 'attack-done')), {
    describe: worker.stderr,
  });
  return { id: issue.id, identifier, workspace };
}
