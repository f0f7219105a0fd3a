import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { registerConfigCommand } from '../../../src/cli/config/command.ts';
import { type PrintConfigArgs, printConfig } from '../../../src/cli/config/print.ts';
import { workflowJsonSchema } from '../../../src/config/show/json-schema.ts';
import { configReferencePage } from '../../../src/config/show/reference-page.ts';
import { WORKFLOW_FORMAT } from '../../fakes/workflow-file.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();
const SECRET = 'dummy-credential';

function makeIo(cwd: string, environment: Record<string, string> = {}) {
  const written = { out: '', err: '' };
  return {
    written,
    io: {
      stdout: (text: string) => {
        written.out += text;
      },
      stderr: (text: string) => {
        written.err += text;
      },
      environment: { HOME: '/home/me', TMPDIR: '/tmp', ...environment },
      cwd,
    },
  };
}

async function config(args: string[], cwd: string, environment: Record<string, string> = {}) {
  const { io, written } = makeIo(cwd, environment);
  let code = -1;
  const program = new Command().exitOverride();
  registerConfigCommand(program, io, (exitCode) => {
    code = exitCode;
  });
  await program.parseAsync(['config', ...args], { from: 'user' });
  return { code, ...written };
}

const GOOD =
  '---\ntracker: {kind: linear, project_slug: x, api_key: $KEY}\nrepo: {clone_url: "https://forge.invalid/a/r.git"}\nagent: {default: mock}\n---\n{{ issue.title }}\n';

describe('aiops config check', () => {
  it('passes a good file and says what it is', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'WORKFLOW.md'), GOOD);
    const { code, out } = await config(['check'], dir, { KEY: SECRET });
    expect(code).toBe(0);
    expect(out).toBe(`${join(dir, 'WORKFLOW.md')}: ok (go dialect, tracker linear, agent mock)\n`);
  });

  it('tells mistakes of the settings, of the set-up and of the prompt in one pass, each with its line and fix', async () => {
    const dir = await folder();
    const file = join(dir, 'WORKFLOW.md');
    await mkdir(join(dir, 'no-repository'));
    await writeFile(
      file,
      '---\ntracker:\n  kind: gitea\n  api_key: $KEY\n  active_states: [ai-ready]\nserver: {port: x}\nrepo:\n  owner: a\n  name: b\n  clone_url: ./no-repository\n---\n{{ issue.titel }}\n',
    );
    const { code, out } = await config(['check'], dir, { KEY: SECRET });
    expect(code).toBe(1);
    expect(out).toContain(`error: ${file}:6: server.port`);
    expect(out).toContain(
      `error: ${file}:5: tracker.active_states: no label stands for the state "ai-ready"`,
    );
    expect(out).toContain(
      `error: ${file}:10: repo.clone_url: ${join(dir, 'no-repository')} is a folder, but no git`,
    );
    expect(out).toMatch(/error: .*issue\.titel/);
    expect(out).toContain('the mock agent would work on the issues of gitea');
    expect(out).toContain(`${file}: 5 errors`);

    await mkdir(join(dir, 'no-repository', '.git'));
    await writeFile(
      file,
      '---\ntracker:\n  kind: gitea\n  api_key: $KEY\n  active_states: [Todo]\nserver: {port: 1}\nagent: {default: claude}\nrepo:\n  owner: a\n  name: b\n  clone_url: ./no-repository\n---\n{{ issue.title }}\n',
    );
    expect(await config(['check', '--strict'], dir, { KEY: SECRET })).toMatchObject({ code: 0, err: '' });
  });

  it('lists all problems with lines, and exits 1', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'a.md'), '---\ntracker: {kind: nope}\nserver: {port: x}\n---\n');
    const { code, out } = await config(['check', 'a.md'], dir);
    expect(code).toBe(1);
    expect(out).toContain(`error: ${join(dir, 'a.md')}:2: tracker.kind`);
    expect(out).toContain(`error: ${join(dir, 'a.md')}:3: server.port`);
    expect(out).toContain('2 errors');
  });

  it('renders the prompt and names lines of the file', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'WORKFLOW.md'), `${GOOD}\n{% if issue.url %}\n{{ issue.nope }}{% endif %}\n`);
    const { code, out } = await config(['check'], dir, { KEY: SECRET });
    expect(code).toBe(1);
    expect(out).toContain('WORKFLOW.md:9: the prompt template, line 9: there is no variable issue.nope');
  });

  it('takes warnings as errors when asked to', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'WORKFLOW.md'), GOOD.replace('---\n', '---\nextra: 1\n'));
    expect((await config(['check'], dir, { KEY: SECRET })).code).toBe(0);
    expect((await config(['check', '--strict'], dir, { KEY: SECRET })).code).toBe(1);
  });

  it('refuses files that would share a root harmfully', async () => {
    const dir = await folder();
    const shared = GOOD.replace('repo:', 'workspace: {root: shared}\nrepo:');
    await writeFile(join(dir, 'maker.md'), shared);
    await writeFile(join(dir, 'reviewer.md'), shared.replace('x,', 'x, active_states: [Human Review],'));
    const { code, out } = await config(['check', 'maker.md', 'reviewer.md'], dir, { KEY: SECRET });
    expect(code).toBe(1);
    expect(out).toContain('works on the same issues');
    // Each has a root of its own when none is named.
    await writeFile(join(dir, 'reviewer.md'), GOOD);
    expect((await config(['check', 'maker.md', 'reviewer.md'], dir, { KEY: SECRET })).code).toBe(0);
  });

  it('reports a missing file and prints JSON', async () => {
    const { code, out } = await config(['check', '--json', 'nope.md'], await folder());
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([{ ok: false, problems: [{ code: 'missing_workflow_file' }] }]);
  });
});

describe('aiops config schema', () => {
  it('prints the committed schema', async () => {
    const { code, out } = await config(['schema'], '/');
    expect(code).toBe(0);
    expect(out).toBe(workflowJsonSchema(WORKFLOW_FORMAT));
    expect(JSON.parse(out)).toMatchObject({
      type: 'object',
      properties: { tracker: { additionalProperties: false } },
    });
  });
});

describe('generated files', () => {
  it.each([
    ['schema/workflow.schema.json', workflowJsonSchema],
    ['docs/config.md', configReferencePage],
  ])('%s is fresh; if not, run npm run docs:config', async (name, generate) => {
    expect(await readFile(join(import.meta.dirname, '../../..', name), 'utf8')).toBe(
      generate(WORKFLOW_FORMAT),
    );
  });
});

describe('aiops worker --print-config', () => {
  async function print(args: PrintConfigArgs, cwd: string, environment: Record<string, string> = {}) {
    const { io, written } = makeIo(cwd, environment);
    const code = await printConfig(args, io);
    return { code, ...written };
  }

  it('shows every block, provenance for every value, and no secret', async () => {
    const dir = await folder();
    await writeFile(
      join(dir, 'WORKFLOW.md'),
      GOOD.replace('https://forge.invalid/a/r.git', `https://u:${SECRET}@git.example/a/b`),
    );
    const environment = { KEY: SECRET, AIOPS_WORKSPACE_ROOT: '/env/w', AIOPS_WORKFLOW_PATH: '/elsewhere' };
    const { code, out } = await print({ directory: '.', port: 0 }, dir, environment);
    expect(code).toBe(0);
    expect(out).not.toContain(SECRET);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      source: 'file',
      dialect: 'go',
      resolution: { source: 'file', path: join(dir, 'WORKFLOW.md') },
      prompt_template: { length: 17, first_line: '{{ issue.title }}' },
      config: {
        tracker: { kind: 'linear', api_key: '***' },
        repo: { clone_url: 'https://git.example/a/b' },
        agent: { timeout: '30m0s', max_concurrent_agents_by_state: {} },
        server: { host: '127.0.0.1', port: 0 },
        hooks: { timeout_ms: 60_000 },
      },
      provenance: {
        workspace_root: { value: '/env/w', source: 'env', env_var: 'AIOPS_WORKSPACE_ROOT' },
        mirror_root: { source: 'default' },
        server_port: { value: 0, source: 'cli' },
        workflow_path: { value: join(dir, 'WORKFLOW.md') },
        'tracker.api_key': { value: '***', source: 'workflow', env_var: 'KEY' },
        'agent.max_turns': { value: 20, source: 'default' },
        'repo.default_branch': { value: 'main', source: 'default' },
      },
    });
    const blocks = Object.keys(report.config);
    expect(blocks).toEqual(
      expect.arrayContaining(['repo', 'tracker', 'polling', 'workspace', 'hooks', 'agent']),
    );
    expect(blocks).toEqual(
      expect.arrayContaining(['codex', 'claude', 'policy', 'verify', 'sandbox', 'server']),
    );
  });

  it('prints a table', async () => {
    const dir = await folder();
    await writeFile(join(dir, 'WORKFLOW.md'), GOOD);
    const { out } = await print({ directory: dir, format: 'table' }, '/', { KEY: SECRET });
    expect(out).toMatch(/^agent\.max_turns +20 +default$/m);
    expect(out).toMatch(/^tracker\.api_key +\*\*\* +workflow \(KEY\)$/m);
  });

  it('needs a file unless defaults are allowed', async () => {
    const dir = await folder();
    await expect(print({ directory: dir }, '/')).rejects.toMatchObject({ code: 'missing_workflow_file' });
    const { out } = await print({ directory: dir, allowDefaults: true }, '/');
    expect(JSON.parse(out)).toMatchObject({
      source: 'default',
      config: { polling: { interval_ms: 30_000 } },
    });
    await expect(print({ directory: join(dir, 'no'), allowDefaults: true }, '/')).rejects.toMatchObject({
      code: 'missing_workflow_file',
    });
    await writeFile(join(dir, 'WORKFLOW.md'), 'Only a prompt.');
    await expect(print({ directory: dir }, '/')).rejects.toMatchObject({ code: 'unsupported_tracker_kind' });
    const prompt = await print({ directory: dir, allowDefaults: true }, '/');
    expect(JSON.parse(prompt.out)).toMatchObject({ source: 'prompt_only' });
  });

  it('refuses a file that does not load; without an argument it looks in this folder', async () => {
    const dir = await folder();
    await mkdir(join(dir, 'x'));
    await writeFile(join(dir, 'x', 'WORKFLOW.md'), '---\nagent: {max_turns: 0}\n---\n');
    await expect(print({ directory: 'x', allowDefaults: true }, dir)).rejects.toMatchObject({
      message: expect.stringContaining('agent.max_turns'),
    });
    await expect(print({ directory: undefined }, dir)).rejects.toMatchObject({
      code: 'missing_workflow_file',
      message: expect.stringContaining(join(dir, 'WORKFLOW.md')),
    });
  });
});
