import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../src/observability/logger.ts';
import { createLocalTracker } from '../../src/trackers/local/adapter.ts';
import { parseIssueText, withState } from '../../src/trackers/local/file/document.ts';
import { trackerContract } from './tracker-contract.ts';
import {
  CONTRACT_STATES,
  type ContractSettings,
  type SeedIssue,
  type TrackerFixture,
} from './tracker-fixture.ts';

const AT = '2026-03-01T09:30:00.000Z';

trackerContract({
  watches: true,
  name: 'local',
  async create(seed, settings) {
    const root = await mkdtemp(join(tmpdir(), 'local-contract-'));
    return createFixture(root, seed, settings);
  },
});

async function createFixture(
  root: string,
  seed: readonly SeedIssue[],
  { allowTerminal }: ContractSettings,
): Promise<TrackerFixture> {
  const idOf = (key: string): string => `T-${key}`;
  const pathOf = (key: string): string => join(root, `${idOf(key)}.md`);
  for (const issue of seed) await writeFile(pathOf(issue.key), issueText(issue, idOf));
  const warnings: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (message) => warnings.push(message),
    error: (message) => warnings.push(message),
    with: () => logger,
  };
  const tracker = createLocalTracker({
    path: root,
    activeStates: CONTRACT_STATES.active,
    terminalStates: CONTRACT_STATES.terminal,
    inactiveStates: CONTRACT_STATES.inactive,
    allowTerminal,
    logger,
  });
  return {
    tracker,
    idOf,
    async move(key, state) {
      const text = withState(await readFile(pathOf(key), 'utf8'), state, AT);
      await writeFile(`${pathOf(key)}~`, text);
      await rename(`${pathOf(key)}~`, pathOf(key));
    },
    corrupt: (key) => writeFile(pathOf(key), '---\nstate: Todo\n---\n'),
    remove: (key) => rm(pathOf(key)),
    breakDown: () => rm(root, { recursive: true }),
    async comments(key) {
      const parsed = parseIssueText(await readFile(pathOf(key), 'utf8'));
      return parsed.ok ? parsed.value.comments.map((comment) => comment.body) : [];
    },
    warnings: () => warnings.length,
    dispose: () => rm(root, { recursive: true, force: true }),
  };
}

/** Written by hand, as a person would. */
function issueText(issue: SeedIssue, idOf: (key: string) => string): string {
  const lines = [
    '---',
    `title: ${issue.title ?? `Issue ${issue.key}`}`,
    `state: ${issue.state}`,
    'author: ada',
    ...(issue.priority === undefined ? [] : [`priority: ${issue.priority}`]),
    ...(issue.labels === undefined ? [] : [`labels: ${JSON.stringify(issue.labels)}`]),
    ...(issue.blockedBy === undefined ? [] : [`blocked_by: [${issue.blockedBy.map(idOf).join(', ')}]`]),
    '---',
    ...(issue.description === undefined ? [] : ['', issue.description]),
  ];
  return `${lines.join('\n')}\n`;
}
