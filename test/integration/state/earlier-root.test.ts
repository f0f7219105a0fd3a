import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findEarlierRoot } from '../../../src/cli/compose/earlier-root.ts';
import type { Config } from '../../../src/config/config.ts';
import { trackerScopeOf } from '../../../src/config/roots/shared-roots.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { journalPathOf } from '../../../src/store/journal-path.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { sampleRecord } from '../store/record-fixtures.ts';

interface Fixture {
  readonly config: Config;
  readonly earlier: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function fixture(workspace = ''): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'earlier-root-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'tmp'));
  const path = join(folder, 'WORKFLOW.md');
  writeFileSync(path, `---\ntracker: {kind: local}\n${workspace}\n---\nDo it.\n`);
  const environment = { HOME: folder, TMPDIR: join(folder, 'tmp') };
  const loaded = await loadWorkflow({ path, environment });
  if (!loaded.ok) throw new Error('the workflow does not load');
  return { config: loaded.config, earlier: join(folder, 'tmp', 'symphony_workspaces'), environment };
}

async function keep(root: string, scope: string): Promise<void> {
  const path = journalPathOf(root);
  mkdirSync(dirname(path), { recursive: true });
  const journal = await openJournal({
    path,
    scope,
    logger: silentLogger,
    retention: () => ({ keepDays: 0 }),
  });
  journal.saveRecord(sampleRecord());
  await journal.close();
}

test('state that an earlier version left in the temporary directory is found', async () => {
  const { config, earlier, environment } = await fixture();
  expect(await findEarlierRoot(config, environment)).toBeNull();
  await keep(earlier, 'local /somebody/elses');
  expect(await findEarlierRoot(config, environment)).toBeNull();
  await keep(earlier, trackerScopeOf(config.tracker));
  expect(await findEarlierRoot(config, environment)).toBe(earlier);
});

test('nothing is said once the workflow has a journal in its own place, or names a place', async () => {
  const own = await fixture();
  await keep(own.earlier, trackerScopeOf(own.config.tracker));
  await keep(own.config.workspace.root, trackerScopeOf(own.config.tracker));
  expect(await findEarlierRoot(own.config, own.environment)).toBeNull();
  const named = await fixture('workspace: {root: here}');
  await keep(named.earlier, trackerScopeOf(named.config.tracker));
  expect(await findEarlierRoot(named.config, named.environment)).toBeNull();
});

test('what somebody else put there is left alone', async () => {
  const { config, earlier, environment } = await fixture();
  mkdirSync(join(earlier, '.aiops'), { recursive: true });
  writeFileSync(journalPathOf(earlier), 'no journal at all');
  expect(await findEarlierRoot(config, environment)).toBeNull();
  rmSync(earlier, { recursive: true });
  await keep(earlier, trackerScopeOf(config.tracker));
  if (process.getuid?.() !== 0) return;
  chownSync(journalPathOf(earlier), 12_345, 12_345);
  expect(await findEarlierRoot(config, environment)).toBeNull();
});
