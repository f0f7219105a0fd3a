import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRootConflict, rootUseOf } from '../../../src/config/roots/shared-roots.ts';
import { checkTemplate } from '../../../src/prompt/check-template.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

const ENVIRONMENT = {
  HOME: '/home/me',
  LINEAR_API_KEY: 'dummy',
  GITHUB_TOKEN: 'dummy',
  GITEA_TOKEN: 'dummy',
};

const files = (await readdir(EXAMPLES, { recursive: true }))
  .filter((name) => /(WORKFLOW|maker|reviewer)\.md$/.test(name))
  .sort();

async function load(name: string) {
  const result = await loadWorkflow({ path: join(EXAMPLES, name), environment: ENVIRONMENT });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

describe('examples', () => {
  it('are all here', () => {
    expect(files).toEqual([
      'cautious/WORKFLOW.md',
      'gitea-maker-reviewer/maker.md',
      'gitea-maker-reviewer/reviewer.md',
      'gitea/WORKFLOW.md',
      'github-maker-reviewer/maker.md',
      'github-maker-reviewer/reviewer.md',
      'github/WORKFLOW.md',
      'linear/WORKFLOW.md',
      'local/WORKFLOW.md',
      'profiles/WORKFLOW.md',
    ]);
  });

  it.each(files)('%s loads without a warning and its prompt renders', async (name) => {
    const { config, warnings } = await load(name);
    expect(warnings).toEqual([]);
    const { promptTemplate: template, promptLine, tracker } = config;
    expect(await checkTemplate({ template, firstLine: promptLine, trackerKind: tracker.kind })).toEqual([]);
  });

  it.each(files)('%s names the schema for editors and holds no credential', async (name) => {
    const path = join(EXAMPLES, name);
    const text = await readFile(path, 'utf8');
    const schema = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text)?.[1] ?? 'none';
    await access(resolve(dirname(path), schema));
    expect(text.match(/^\s*api_key: .*$/gm)?.every((line) => /: \$[A-Z_]+$/.test(line)) ?? true).toBe(true);
  });

  it.each(['github-maker-reviewer', 'gitea-maker-reviewer'])('%s can run side by side', async (pair) => {
    const maker = (await load(`${pair}/maker.md`)).config;
    const reviewer = (await load(`${pair}/reviewer.md`)).config;
    expect(findRootConflict(rootUseOf(maker), rootUseOf(reviewer))).toBeNull();
    expect(maker.server.port).not.toBe(reviewer.server.port);
    const shared = reviewer.workspace.root;
    const clash = { ...maker, workspace: { ...maker.workspace, root: shared } };
    expect(findRootConflict(rootUseOf(clash), rootUseOf(reviewer))?.code).toBe('worker_already_running');
    const handedOver = reviewer.tracker.activeStates.filter(
      (state) => !maker.tracker.inactiveStates.includes(state),
    );
    expect(handedOver).toEqual([]);
  });

  it('are listed in the overview', async () => {
    const overview = await readFile(join(EXAMPLES, 'README.md'), 'utf8');
    const folders = new Set(files.map((name) => dirname(relative('.', name))));
    for (const folder of folders) expect(overview).toContain(`\`${folder}\``);
  });
});
