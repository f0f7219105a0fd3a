import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ChildEnvironments } from '../../../src/cli/child-environments.ts';
import { loadWorkflow } from '../../../src/config/load.ts';
import { silentLogger } from '../../../src/observability/logger.ts';

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
