// A worker to be killed: prepares workspaces, runs hooks, lets an "agent" change and commit files, removes workspaces,
// and goes on until its end. Prints `step <name>` before each step. Every change is a new file with a unique name; the
// name goes into the journal once the file is written, so whatever the journal names must never be lost.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../dist/observability/logger.js';
import { runHook } from '../../dist/workspaces/checkout/hooks.js';
import { writeTaskFiles } from '../../dist/workspaces/checkout/task-files.js';
import { createWorkspaces } from '../../dist/workspaces/create-workspaces.js';

const { root, mirrorRoot, cloneUrl, journal, owner, seed, issues } = JSON.parse(process.argv[2]);
const never = new AbortController().signal;
const environment = { ...process.env };
const marked = { ...environment, AIOPS_RUN_OWNER: owner };
const random = createRandom(seed);
const access = { token: null, tokenVariable: null, credential: null, push: 'agent' };
const repo = { owner: null, name: null, cloneUrl, defaultBranch: 'main', ...access };
const scope = { trackerKind: 'fault', trackerScope: 'fault' };
const workspaces = createWorkspaces({
  root,
  mirrorRoot,
  scope,
  repo,
  environment,
  logger: silentLogger,
  minFreeBytes: 0,
});
let changes = 0;

for (;;) {
  const identifier = issues[Math.floor(random() * issues.length)];
  try {
    await work(identifier);
  } catch (error) {
    // A remote that is away, a branch that cannot be pushed: part of the day. Anything else is the suite's to see.
    if (error?.name !== 'AppError' && error?.status === undefined) throw error;
    step('failed');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function work(identifier) {
  const issue = {
    id: identifier,
    identifier,
    title: identifier,
    description: null,
    state: 'Todo',
    url: null,
  };
  step('prepare');
  const workspace = await workspaces.prepare(
    { issue, repo, onProgress: (detail) => step(detail.split(':')[0]) },
    never,
  );
  if (workspace.createdNow) {
    step('hook');
    await runHook({
      name: 'afterCreate',
      hooks: {
        afterCreate: ['mkdir -p deps', 'for i in $(seq 40); do echo $i > deps/$i; done'],
        timeoutMs: 30_000,
      },
      workspacePath: workspace.path,
      variables: { AIOPS_ISSUE_ID: identifier },
      environment: marked,
      logger: silentLogger,
      signal: never,
    });
    await workspaces.confirmCreated(workspace);
  }
  step('task');
  await writeTaskFiles({ workspacePath: workspace.path, issue, prompt: 'Change something.' });
  step('agent');
  for (let turn = 0; turn < 3; turn += 1) act(workspace.path);
  step('evidence');
  await workspaces.evidence(workspace);
  if (random() < 0.5) {
    step('remove');
    await workspaces.remove(identifier, never);
  }
}

function act(path) {
  changes += 1;
  const name = `${seed}-${changes}.txt`;
  mkdirSync(join(path, 'changes'), { recursive: true });
  writeFileSync(join(path, 'changes', name), `${name}\n`);
  appendFileSync(journal, `${name}\n`);
  const choice = random();
  if (choice < 0.5) git(path, 'add', '--all');
  if (choice < 0.4) git(path, 'commit', '--quiet', '--allow-empty', '--message', name);
  if (choice < 0.15) git(path, 'push', '--quiet', 'origin', 'HEAD');
  if (choice > 0.95) git(path, 'stash', 'push', '--quiet', '--include-untracked');
}

function git(cwd, ...args) {
  execFileSync('git', args, { cwd, env: marked, stdio: 'ignore' });
}

function step(name) {
  process.stdout.write(`step ${name}\n`);
}

function createRandom(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
