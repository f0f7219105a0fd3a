import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/observability/logger.ts';
import { journalPathOf } from '../../../src/store/journal-path.ts';
import { openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';
import { runInProcess } from '../../fakes/in-process-cli.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-conventions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

function write(frontMatter: string, name = 'WORKFLOW.md'): string {
  const path = join(folder, name);
  writeFileSync(path, `---\n${frontMatter}\n---\nDo {{ issue.title }}.\n`);
  return path;
}

function cli(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { HOME: folder, PATH: process.env['PATH'] ?? '', ...environment };
  return runInProcess(args, { cwd: folder, environment: env });
}

describe('aiops worker', () => {
  it.each([
    [['--format', 'table'], '--format goes with --print-config'],
    [['--allow-defaults'], '--allow-defaults goes with --print-config'],
    [['--json'], '--json goes with --once, --dry-run or --doctor'],
    [['--doctor', '--once'], '--once and --doctor exclude each other'],
    [['--mode', 'mock'], '--mode goes with --doctor'],
    [['--go-test-dir', 'x'], '--go-test-dir goes with --doctor'],
    [['--log-file-size', '5M'], '--log-file-size and --log-file-count go with --log-file'],
    [['--log-file', 'a', '--logs-root', 'b'], '--log-file and --logs-root say two things'],
    [['--logs-root', ' '], '--logs-root is empty'],
    [['--log-file', 'WORKFLOW.md/x.log'], 'cannot be written'],
    [['--print-config', '--json'], '--json goes with'],
    [['--once', '--print-config'], '--once and --print-config exclude each other'],
    [['--dry-run', '--port', '0'], '--dry-run opens no port'],
    [['a.md', '--workflow', 'b.md'], 'two workflows are named: a.md and --workflow b.md'],
  ])('starts nothing for %j', async (args, message) => {
    write('tracker: {kind: local}');
    const { code, out, err } = await cli(['worker', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it('prints the settings of this folder, or of the workflow that is named, without being told where', async () => {
    write('tracker: {kind: local}');
    const other = write('tracker: {kind: local, path: elsewhere}', 'other.md');
    const pathOf = async (args: readonly string[], environment = {}) =>
      JSON.parse((await cli(args, environment)).out).config.tracker.path;
    expect(await pathOf(['worker', '--print-config'])).toBe(join(folder, 'issues'));
    for (const args of [
      ['worker', '--print-config', other],
      ['-w', other, 'worker', '--print-config'],
    ])
      expect(await pathOf(args)).toBe(join(folder, 'elsewhere'));
    expect(await pathOf(['worker', '--print-config'], { AIOPS_WORKFLOW_PATH: other })).toBe(
      join(folder, 'elsewhere'),
    );
  });
});

describe('aiops worker --doctor', () => {
  it('is the doctor, with the options of the Go worker', async () => {
    write('tracker: {kind: local}\nagent: {default: mock}');
    const { out, err } = await cli(['worker', '--doctor', '--mode=mock', '--deploy=docker', '.']);
    expect(out).toContain('Node.js');
    expect(out).toBe((await cli(['doctor', '--offline'])).out);
    expect(err).toBe(
      'aiops: warning: --deploy has no effect: nothing here depends on how the worker is installed.\n',
    );
  });
});

describe('options as the Go worker takes them', () => {
  it('have one dash or two', async () => {
    write('tracker: {kind: local}\nagent: {default: mock}');
    const portOf = async (...args: string[]) =>
      JSON.parse((await cli(['worker', ...args])).out).provenance.server_port.value;
    expect(await portOf('-print-config', '-port', '4001')).toBe(4001);
    expect(await portOf('-port=4001', '-print-config', '.')).toBe(4001);
    expect(await cli(['worker', '-doctor', '-mode=mock'])).toEqual(
      await cli(['worker', '--doctor', '--mode=mock']),
    );
    expect(await cli(['tui', '-interval', '0'])).toEqual(await cli(['tui', '--interval', '0']));
    expect(await cli(['worker', '-version'])).toEqual(await cli(['--version']));
  });

  it('stay words after two dashes, and are unknown to other commands', async () => {
    expect((await cli(['worker', '--', '-port'])).err).toContain('-port');
    expect((await cli(['status', '-url', 'x'])).err).toContain("unknown option '-u");
  });
});

describe('what only reads', () => {
  it('needs no credential of the tracker', async () => {
    write('tracker: {kind: linear, project_slug: x, api_key: $NOT_SET}\nworkspace: {root: root}');
    const journal = journalPathOf(join(folder, 'root'));
    mkdirSync(dirname(journal), { recursive: true });
    await (
      await openJournal({
        path: journal,
        scope: 'x',
        logger: silentLogger,
        retention: () => ({ keepDays: 0 }),
      })
    ).close();
    expect(await cli(['history'])).toMatchObject({ code: 0, out: 'No run has ended yet.\n' });
    expect(await cli(['rescue', 'list'])).toMatchObject({ code: 0, out: 'Nothing had to be rescued.\n' });
    expect((await cli(['runs', 'show', 'x'])).err).toContain('No run has the id');
    expect((await cli(['logs', 'TASK-1'])).err).toContain('the journal knows no run of "TASK-1"');
  });

  it('still says when the place itself cannot be known', async () => {
    write('tracker: {kind: local}\nworkspace: {root: $NOT_SET}');
    const { code, err } = await cli(['history']);
    expect([code, err]).toEqual([1, expect.stringContaining('NOT_SET')]);
  });
});

describe('aiops doctor', () => {
  it('names the variable of a credential, also where an address holds its name', async () => {
    write(
      [
        'tracker: {kind: gitea, api_key: $GITEA_TOKEN, endpoint: "http://127.0.0.1:9"}',
        'repo: {owner: a, name: b, clone_url: "http://me:$GITEA_TOKEN@127.0.0.1:9/a/b.git"}',
      ].join('\n'),
    );
    const { out } = await cli(['doctor', '--offline'], { GITEA_TOKEN: 'dummy-secret-value' });
    expect(out).toContain('taken from $GITEA_TOKEN');
    expect(out).not.toContain('dummy-secret-value');
  });
});
