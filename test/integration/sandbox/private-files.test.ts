import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { runCli } from '../../../src/cli/run-cli.ts';
import { stateFolderOf } from '../../../src/config/roots/state-folder.ts';
import { sandboxWorks } from '../../fakes/sandboxes.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';

/** Not in the folder for temporary files, which a sandbox covers whatever is in it. */
const PLACE = '/var/tmp';

const quoted = (paths: readonly string[]): string => paths.map((path) => `'${path}'`).join(' ');

/** Names each of the files that can be read, and what each of the folders shows, as a shell finds out. */
const probe = (files: readonly string[], folders: readonly string[], result: string): string =>
  `{
    for path in ${quoted(files)}; do cat "$path" >/dev/null 2>&1 && echo "read $path"; done
    for path in ${quoted(folders)}; do echo "$path:" $(ls -A "$path" 2>/dev/null); done
  } > ${result}`;

interface Setting {
  readonly base: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly workflow: string;
  readonly state: string;
}

function prepare(): Setting {
  const base = realpathSync(mkdtempSync(join(PLACE, 'aiops-private-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const environment = { PATH: process.env['PATH'] ?? '', HOME: join(base, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  for (const name of ['home/.ssh', 'flow/issues'])
    mkdirSync(join(base, name), { recursive: true, mode: 0o700 });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: base, env: environment, stdio: 'pipe' });
  git('init', '-q', '--bare', '-b', 'main', 'remote.git');
  git('init', '-q', '-b', 'main', 'seed');
  writeFileSync(join(base, 'seed', 'README.md'), 'Hello\n');
  git('-C', 'seed', 'add', '.');
  git('-C', 'seed', '-c', 'user.name=T', '-c', 'user.email=t@x.invalid', 'commit', '-qm', 'One');
  git('-C', 'seed', 'push', '-q', join(base, 'remote.git'), 'main');
  const workflow = join(base, 'flow', 'WORKFLOW.md');
  return { base, environment, workflow, state: stateFolderOf(workflow, environment) };
}

function writeWorkflow({ base, workflow }: Setting, afterCreate: string): void {
  const front = {
    tracker: { kind: 'local', path: 'issues' },
    repo: { clone_url: join(base, 'remote.git'), default_branch: 'main' },
    agent: { default: 'mock', max_concurrent_agents: 1 },
    hooks: { after_create: afterCreate },
    sandbox: { enabled: true, backend: 'bubblewrap', network: 'none', env_allowlist: ['PATH', 'HOME'] },
  };
  writeFileSync(workflow, `---\n${stringify(front)}---\nWork on {{ issue.identifier }}.\n`);
}

async function work({ base, environment }: Setting): Promise<{ code: number; text: string }> {
  let text = '';
  const say = (part: string): void => {
    text += part;
  };
  const code = await runCli(['worker', '--once', '--port', '0'], {
    stdout: say,
    stderr: say,
    stdin: async () => '',
    environment,
    cwd: join(base, 'flow'),
    interactive: false,
  });
  return { code, text };
}

describe.skipIf(!sandboxWorks('bubblewrap'))(
  'an agent in bubblewrap, with the settings as they are by default',
  () => {
    test('reads nothing of the worker, of other repositories and of other issues', async () => {
      const setting = prepare();
      const { base, environment, workflow, state } = setting;
      writeWorkflow(setting, 'true');
      const loaded = await loadWorkflow({ path: workflow, environment });
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
      const { root, mirrorRoot } = loaded.config.workspace;
      const foreign = join(mirrorRoot, 'local', 'other.shared.git', 'config');
      const secrets = [
        join(state, 'worker.json'),
        join(root, '.aiops', 'journal.sqlite'),
        join(root, 'TASK-1', 'README.md'),
        join(root, 'TASK-1', '.git', 'config'),
        foreign,
        workflow,
        join(base, 'flow', '.env'),
        join(base, 'flow', 'issues', 'TASK-1.md'),
        join(base, 'home', '.ssh', 'id_dummy'),
        join(base, 'home', '.netrc'),
        join(base, 'remote.git', 'config'),
      ];
      const folders = [
        state,
        root,
        mirrorRoot,
        dirname(foreign),
        join(base, 'flow'),
        join(base, 'home', '.ssh'),
      ];
      for (const path of [foreign, secrets[6] ?? '', secrets[8] ?? '', secrets[9] ?? '']) {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, 'dummy, not a secret\n', { mode: 0o600 });
      }
      const files = [...secrets, 'README.md'];
      // A hook of the repository runs where the agent runs; the workflow's own hook is the control, outside.
      const hook = `${probe(files, folders, 'OUTSIDE')}
      printf '%s\\n' '#!/bin/sh' '. ./PROBE' 'exit 0' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit
      cp '${join(base, 'probe')}' PROBE`;
      writeFileSync(join(base, 'probe'), `${probe(files, folders, 'INSIDE')}\n`);
      writeWorkflow(setting, `mkdir -p .git/hooks; ${hook}`);
      // One after the other: the second finds the workspace of the first.
      for (const name of ['TASK-1', 'TASK-2']) {
        const file = join(base, 'flow', 'issues', `${name}.md`);
        writeFileSync(file, `---\ntitle: ${name}\nstate: Todo\n---\nDo it.\n`);
        expect(await work(setting)).toEqual({ code: 0, text: expect.anything() });
      }

      const seen = (name: string) =>
        readFileSync(join(root, 'TASK-2', name), 'utf8')
          .trim()
          .split('\n');
      const read = (paths: readonly string[]) => paths.map((path) => `read ${path}`);
      expect(seen('OUTSIDE').slice(0, files.length)).toEqual(read(files));
      expect(
        seen('OUTSIDE')
          .slice(files.length)
          .filter((line) => line.endsWith(':')),
      ).toEqual([]);
      // Of the folders above its own places nothing shows but the way there.
      const shown = ['mirrors workspaces', 'TASK-2', 'local', '', '', ''];
      const lines = folders.map((path, index) => `${path}: ${shown[index]}`.trim());
      expect(seen('INSIDE')).toEqual([...read(['README.md']), ...lines]);
    }, 120_000);
  },
);
