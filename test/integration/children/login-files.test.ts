import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChildEnvironments } from '../../../src/cli/compose/child-environments.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { findProgram } from '../../../src/runners/sandbox/plan.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';

test('R-10.1-a login files are read once for each load of the workflow, and a reload sees what changed in them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-login-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const writeProfile = (path: string): void =>
    writeFileSync(join(folder, '.bash_profile'), `export PATH=${path}\necho x >> ${join(folder, 'read')}\n`);
  const path = join(folder, 'WORKFLOW.md');
  writeFileSync(
    path,
    '---\ntracker: {kind: local}\nagent: {default: codex-app-server}\nworkspace: {root: w}\n---\nGo.\n',
  );
  const environment = { HOME: folder, PATH: '/usr/bin:/bin' };
  const loaded = await loadWorkflow({ path, environment });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const children = new ChildEnvironments(environment, silentLogger);

  writeProfile('/usr/bin:/bin:/first');
  await children.learn(loaded.config);
  for (let agent = 0; agent < 3; agent += 1) {
    expect(children.forLooking(loaded.config)['PATH']).toBe('/usr/bin:/bin:/first');
  }
  writeProfile('/usr/bin:/bin:/second');
  expect(children.forLooking(loaded.config)['PATH']).toBe('/usr/bin:/bin:/first');
  await children.learn(loaded.config);
  expect(children.forLooking(loaded.config)['PATH']).toBe('/usr/bin:/bin:/second');
  expect(readFileSync(join(folder, 'read'), 'utf8')).toBe('x\nx\n');
});

test.each([
  ['codex-app-server', 'codex'],
  ['claude', 'claude'],
  ['acp', 'my-agent'],
])(
  'the program of %s is found on the PATH of the worker when login files set another',
  async (kind, program) => {
    const folder = mkdtempSync(join(tmpdir(), 'aiops-login-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const bin = join(folder, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, program), '#!/bin/sh\n');
    chmodSync(join(bin, program), 0o755);
    writeFileSync(join(folder, '.bash_profile'), 'export PATH=/usr/bin:/bin\n');
    const path = join(folder, 'WORKFLOW.md');
    writeFileSync(
      path,
      `---\ntracker: {kind: local}\nagent: {default: ${kind}}\nacp: {command: my-agent}\nworkspace: {root: w}\n---\nGo.\n`,
    );
    const environment = { HOME: folder, PATH: `${bin}:/usr/bin:/bin` };
    const loaded = await loadWorkflow({ path, environment });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const children = new ChildEnvironments(environment, silentLogger);
    await children.learn(loaded.config);
    const searchPath = children.forLooking(loaded.config)['PATH'] ?? '';
    expect(searchPath).toBe(`/usr/bin:/bin:${bin}`);
    expect(await findProgram(program, searchPath)).toBe(join(bin, program));
  },
);
