import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookSandbox } from '../../../src/cli/compose/hook-sandbox.ts';
import type { HooksConfig, SandboxConfig } from '../../../src/config/config.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { runHook } from '../../../src/workspaces/checkout/hooks.ts';

const SANDBOX: SandboxConfig = {
  enabled: true,
  backend: 'bubblewrap',
  network: 'none',
  networkAllowlistCidrs: [],
  networkInterface: null,
  envAllowlist: ['PATH', 'HOME'],
  credentialFiles: [],
  writableFolders: [],
};
const PROBE = `cat ../neighbour/secret > found 2>&1; echo "$AIOPS_ISSUE_ID $MINE" >> found; touch ../outside`;

let root: string;
let workspacePath: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hook-sandbox-')));
  workspacePath = join(root, 'ws');
  mkdirSync(workspacePath);
  mkdirSync(join(root, 'neighbour'));
  writeFileSync(join(root, 'neighbour', 'secret'), 'of somebody else');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function run(sandbox: boolean): Promise<string> {
  const none = { afterCreate: [], beforeRun: [], afterRun: [], beforeRemove: [] };
  const hooks: HooksConfig = {
    ...none,
    beforeRun: [PROBE],
    timeoutMs: 30_000,
    envPassthrough: ['MINE'],
    sandbox,
  };
  const workspace = {
    root,
    mirrorRoot: join(root, 'mirrors'),
    cloneDepth: null,
    partialClone: false,
    minFreeMb: 0,
  };
  const settings = { hooks, sandbox: SANDBOX, workspace, repo: null };
  await runHook({
    name: 'beforeRun',
    hooks,
    workspacePath,
    variables: { AIOPS_ISSUE_ID: '7' },
    environment: { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), MINE: 'mine' },
    ...hookSandbox(settings, workspacePath),
    logger: silentLogger,
    signal: new AbortController().signal,
    redact: (text) => text,
  }).catch(() => {});
  return readFileSync(join(workspacePath, 'found'), 'utf8');
}

test('a hook in the sandbox sees its workspace and its variables, and nothing beside it', async () => {
  const found = await run(true);
  expect(found).not.toContain('of somebody else');
  expect(found).toContain('7 mine');
});

test('without it a hook has the rights of the worker', async () => {
  expect(await run(false)).toContain('of somebody else');
});
