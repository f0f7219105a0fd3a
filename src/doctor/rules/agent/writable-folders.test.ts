import { expect, test } from 'vitest';
import { evaluateWorkflow } from '../../../../test/fakes/workflow-file.ts';
import type { Verdict } from '../../../domain/verdict.ts';
import { opensFolders, writableFolders } from './writable-folders.ts';

const REPOSITORY = '/srv/git/app.git';
const STATE = '/home/me/.local/state/aiops/team-1';
const LINKS: Readonly<Record<string, string>> = { '/srv/alias': REPOSITORY };

/** The verdicts on a workflow at /srv/team whose agents may write these folders. */
async function judge(folders: readonly string[], rest = ''): Promise<readonly Verdict[]> {
  const sandbox = `sandbox: {enabled: true, backend: bubblewrap, env_allowlist: [PATH], writable_folders: [${folders}]}`;
  const repo = `repo: {clone_url: ${REPOSITORY}${rest}}`;
  const root = 'workspace: {root: /data/workspaces, mirror_root: /data/mirrors}';
  const text = `---\ntracker: {kind: local}\n${repo}\n${root}\n${sandbox}\n---\nGo.\n`;
  const { config } = evaluateWorkflow(text, {
    file: '/srv/team/WORKFLOW.md',
    environment: { HOME: '/home/me' },
  });
  expect(opensFolders(config)).toBe(folders.length > 0);
  const effects = { stateFolder: () => STATE, realPath: async (path: string) => LINKS[path] ?? path };
  const found = await writableFolders(config, REPOSITORY, effects).run(new AbortController().signal);
  return 'status' in found ? [found] : found;
}

test.each([
  ['the repository itself', REPOSITORY, 'the repository that the worker pushes to'],
  ['the hooks in it', `${REPOSITORY}/hooks`, 'the repository that the worker pushes to'],
  ['the folder of all repositories', '/srv/git', 'the repository that the worker pushes to'],
  ['a link to it', '/srv/alias', 'the repository that the worker pushes to'],
  ['all workspaces', '/data/workspaces', 'all workspaces'],
  ['another workspace', '/data/workspaces/ENG-2', 'all workspaces'],
  ['the mirrors', '/data/mirrors', 'the mirrors'],
  ['the state of the worker', '/home/me/.local', "the worker's state"],
  ['the folder of the workflow', '/srv/team', 'the workflow'],
])('agents cannot be given %s', async (_, folder, what) => {
  const found = await judge(['/srv/cache', folder]);
  expect(found).toMatchObject([{ status: 'fail', key: 'sandbox.writable_folders' }]);
  expect(found[0]?.text).toContain(`${folder} gives agents ${what}`);
  expect(found[0]?.fix).toContain(`Take ${folder} out of sandbox.writable_folders`);
});

test('every place in one folder is named', async () => {
  const found = await judge(['/']);
  expect(found.map(({ text }) => /gives agents ([^(]+) \(/.exec(text)?.[1])).toEqual([
    'the repository that the worker pushes to',
    'all workspaces',
    'the mirrors',
    "the worker's state",
    'the workflow',
  ]);
});

test('other folders are fine, and the repository where agents push to it by themselves', async () => {
  expect(await judge(['/srv/cache', '/srv/git2', '/data/workspaces-old'])).toMatchObject([{ status: 'ok' }]);
  expect(await judge([REPOSITORY], ', push: agent')).toMatchObject([{ status: 'ok' }]);
});
