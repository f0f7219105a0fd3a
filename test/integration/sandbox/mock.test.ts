import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRunner } from '../../../src/runners/registry.ts';
import type { Runner } from '../../../src/runners/runner.ts';
import { type Fixture, processesOfRun, writeHook } from '../../contracts/runner-fixture.ts';
import { useMockRuns } from '../../contracts/runner-mock-runs.ts';
import { sandboxWorks } from '../../fakes/sandboxes.ts';
import { evaluateWorkflow } from '../../fakes/workflow-file.ts';

type Sandboxed = (fixture: Fixture) => Readonly<Record<string, unknown>>;

/** The mock runner as a workflow with these `sandbox` keys gets it. */
async function mockOf(fixture: Fixture, sandbox: Readonly<Record<string, unknown>>): Promise<Runner> {
  const written = { tracker: { kind: 'local' }, hooks: { after_create: 'true' }, sandbox };
  const { config, problems } = evaluateWorkflow(`---\n${JSON.stringify(written)}\n---\nDo it.`, {
    file: join(fixture.root, 'WORKFLOW.md'),
    environment: { HOME: fixture.root },
  });
  if (config === null) throw new Error(`the workflow does not load: ${JSON.stringify(problems)}`);
  return createRunner('mock', config);
}

/** A server of the host; answers its port. */
async function serveOnHost(): Promise<number> {
  const server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** A hook of the repository runs where the agent runs, tries what it can do there and tells what it sees. */
function lookAround(fixture: Fixture, port: number, elsewhere = fixture.root): void {
  const connect = `require('net').connect(${port}, '127.0.0.1')
    .on('connect', () => { console.log('network open'); process.exit(); })
    .on('error', () => console.log('network closed'))`;
  const script = `{
    touch ../OUTSIDE "$HOME/OUTSIDE" "${elsewhere}/OUTSIDE"
    node -e "${connect}"
    env
  } > RESULT 2>&1
  exit 0`;
  writeHook(fixture, 'pre-commit', script);
}

function resultOf(fixture: Fixture): string {
  return readFileSync(join(fixture.workspace, 'RESULT'), 'utf8');
}

describe.each(['bubblewrap', 'firejail'] as const)('the mock agent in %s', (backend) => {
  describe.skipIf(!sandboxWorks(backend))('which works here', () => {
    const env_allowlist = ['PATH', 'HOME', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_GLOBAL'];
    const base = { enabled: true, backend, network: 'none', env_allowlist };
    let settings: Sandboxed = () => base;
    const runs = useMockRuns((fixture) => mockOf(fixture, settings(fixture)));
    const withNamedRemote: Sandboxed = ({ remote }) => ({ ...base, writable_folders: [remote] });

    test('does its whole work, without network and without a way out of its workspace', async () => {
      settings = withNamedRemote;
      const fixture = runs.fixture();
      const elsewhere = mkdtempSync(join(tmpdir(), 'aiops-elsewhere-'));
      onTestFinished(() => rmSync(elsewhere, { recursive: true }));
      lookAround(fixture, await serveOnHost(), elsewhere);
      const environment = { ...fixture.environment, UNLISTED: 'seen' };
      const session = await runs.open('behaviour: grandchild', { environment });
      const turn = await session.runTurn('Go.', new AbortController().signal);
      expect(turn, runs.said()).toEqual({ kind: 'completed' });
      await session.stop();
      expect(processesOfRun(fixture.runId)).toEqual([]);
      expect(runs.subjects()).toEqual(['ENG-7: Greet the visitor']);
      expect(runs.remoteHead()).toBe(fixture.git('rev-parse', 'HEAD').trim());
      expect(fixture.toolCalls.map(({ name }) => name)).toEqual(['issue_comment', 'issue_move']);
      const outside = [fixture.root, elsewhere].filter((folder) => existsSync(join(folder, 'OUTSIDE')));
      expect(outside).toEqual([]);
      expect(resultOf(fixture)).toContain('network closed');
      expect(resultOf(fixture)).toContain(`AIOPS_RUN_ID=${fixture.runId}`);
      expect(resultOf(fixture)).not.toContain('UNLISTED');
    });

    test('reaches the host over the network where the workflow says so', async () => {
      settings = (fixture) => ({ ...withNamedRemote(fixture), network: 'normal' });
      lookAround(runs.fixture(), await serveOnHost());
      expect(await runs.runOnce('behaviour: succeed')).toEqual({ kind: 'completed' });
      expect(resultOf(runs.fixture())).toContain('network open');
    });

    test('commits, but cannot push to a folder of this machine that the workflow does not name', async () => {
      settings = () => base;
      const turn = await runs.runOnce('behaviour: succeed');
      expect(turn).toMatchObject({ kind: 'failed', message: expect.stringContaining('git push failed') });
      expect(runs.subjects()).toEqual(['ENG-7: Greet the visitor']);
      expect(runs.remoteHead()).toBe('');
    });

    test('does not start when a folder that the workflow names is missing', async () => {
      settings = ({ root }) => ({ ...base, writable_folders: [join(root, 'gone.git')] });
      await expect(runs.open('behaviour: succeed')).rejects.toMatchObject({
        message: expect.stringContaining('gone.git'),
        hint: expect.stringContaining('sandbox.writable_folders'),
      });
      expect(runs.fixture().events).toContainEqual(
        expect.objectContaining({ type: 'startup_failed', stage: 'launch' }),
      );
    });
  });
});
