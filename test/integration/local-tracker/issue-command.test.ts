import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { registerIssueCommand } from '../../../src/cli/issue/command.ts';
import { addWorkflowOption } from '../../../src/cli/workflow-option.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { issueText, temporaryFolder, writeIssue } from './fixture.ts';

interface Answer {
  readonly out: string;
  readonly err: string;
  readonly error: unknown;
}

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

/** Runs `aiops issue …` in the test's folder. */
async function aiops(args: readonly string[], input = ''): Promise<Answer> {
  let out = '';
  let err = '';
  const writeOut = (text: string): void => {
    out += text;
  };
  const writeErr = (text: string): void => {
    err += text;
  };
  const io = {
    stdout: writeOut,
    stderr: writeErr,
    stdin: async () => input,
    environment: { USER: 'ada' },
    cwd: folder,
  };
  const program = addWorkflowOption(new Command('aiops'))
    .exitOverride()
    .configureOutput({ writeOut, writeErr });
  registerIssueCommand(program, io);
  const error = await program.parseAsync(['issue', ...args], { from: 'user' }).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { out, err, error };
}

async function succeed(args: readonly string[], input = ''): Promise<string> {
  const { out, error } = await aiops(args, input);
  if (error !== null) throw error;
  return out;
}

async function fail(args: readonly string[], input = ''): Promise<AppError> {
  const { error } = await aiops(args, input);
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
  return error;
}

const inDir = ['--dir', 'issues'];
const pathOf = (id: string): string => join(folder, 'issues', `${id}.md`);

describe('aiops issue new', () => {
  it('creates the folder and numbered files, and prints where', async () => {
    expect(await succeed(['new', 'Fix', 'the login', ...inDir])).toBe(`TASK-1 ${pathOf('TASK-1')}\n`);
    const flags = [
      '-p',
      '2',
      '-l',
      'Bug,UI',
      '--label',
      'urgent',
      '--blocked-by',
      'task-1',
      '-a',
      'ada',
      '-s',
      'backlog',
    ];
    expect(await succeed(['new', ...flags, 'Second: "it"', '--body', 'Text\n', ...inDir])).toContain(
      'TASK-2 ',
    );
    const text = await readFile(pathOf('TASK-2'), 'utf8');
    const stamp = /created_at: (.+)\n/.exec(text)?.[1];
    expect(text).toBe(
      `---\ntitle: 'Second: "it"'\nstate: Backlog\npriority: 2\nlabels:\n  - bug\n  - ui\n  - urgent\nblocked_by:\n` +
        `  - TASK-1\nassignee: ada\ncreated_at: ${stamp}\nupdated_at: ${stamp}\n---\n\nText\n`,
    );
    expect(await succeed(['new', 'Third', '--prefix', 'ENG', ...inDir])).toContain('ENG-1 ');
  });

  it('reads the description from standard input or a file', async () => {
    await writeFile(join(folder, 'body.md'), '# From a file\n');
    await succeed(['new', 'One', '-', ...inDir], 'piped\n');
    await succeed(['new', 'Two', '--body-file', '-', ...inDir], 'piped too\n');
    await succeed(['new', 'Three', '--body-file', 'body.md', ...inDir]);
    expect(await readFile(pathOf('TASK-1'), 'utf8')).toMatch(/\n---\n\npiped\n$/);
    expect(await readFile(pathOf('TASK-2'), 'utf8')).toMatch(/\n---\n\npiped too\n$/);
    expect(await readFile(pathOf('TASK-3'), 'utf8')).toMatch(/\n---\n\n# From a file\n$/);
  });

  it.each([
    [['new', '  '], 'The title is empty.'],
    [['new', 'a', '-', '--body', 'b'], 'The description is given twice.'],
    [['new', 'a', '--body-file', 'nothing.md'], 'The body file cannot be read'],
    [['new', 'a', '--state', 'Tood'], 'There is no state "Tood".'],
    [['new', 'a', '--blocked-by', 'TASK-9'], 'There is no issue "TASK-9"'],
    [['new', 'a', '--prefix', '../x'], 'The prefix "../x" cannot start an identifier.'],
    [['new', 'a', '--body', 'b\0'], 'NUL byte'],
  ])('refuses %j', async (args, message) => {
    expect((await fail([...args, ...inDir])).message).toContain(message);
    expect((await aiops(['list', '--all', '--json', ...inDir])).out).toMatch(/^(\[\]\n)?$/);
  });

  it('refuses a description that is too large', async () => {
    const { message } = await fail(['new', 'a', '-', ...inDir], 'b'.repeat(1024 * 1024));
    expect(message).toContain('larger than 1024 KiB');
  });

  it('refuses a priority that is no number', async () => {
    const { error, err } = await aiops(['new', 'a', '--priority', 'high', ...inDir]);
    expect(error).toBeInstanceOf(CommanderError);
    expect(err).toContain('whole number');
  });
});

describe('aiops issue list', () => {
  beforeEach(async () => {
    await succeed(['new', 'Low', '-p', '4', ...inDir]);
    await succeed(['new', 'High', '-p', '1', '-l', 'bug', ...inDir]);
    await succeed(['new', 'Waits', '--blocked-by', 'TASK-1', ...inDir]);
    await succeed(['new', 'Old', '--state', 'Done', ...inDir]);
    await succeed(['new', 'Begun', '--state', 'In Progress', ...inDir]);
  });

  it('prints an aligned table of unfinished issues, most urgent first', async () => {
    expect(await succeed(['list', ...inDir])).toBe(
      [
        'ID      STATE        PRIO  TITLE  LABELS  WAITS',
        'TASK-2  Todo         1     High   bug',
        'TASK-1  Todo         4     Low',
        'TASK-3  Todo         -     Waits          blocked by TASK-1 (Todo)',
        'TASK-5  In Progress  -     Begun',
        '',
      ].join('\n'),
    );
  });

  it('filters by state, shows finished ones on demand, and prints JSON', async () => {
    expect(await succeed(['list', '-s', 'done', '-s', 'IN PROGRESS', ...inDir])).toMatch(
      /TASK-5[\s\S]*TASK-4/,
    );
    expect(await succeed(['list', '--all', ...inDir])).toContain('TASK-4');
    const json: unknown = JSON.parse(await succeed(['list', '--json', '--state', 'Todo', ...inDir]));
    expect(json).toMatchObject([
      { identifier: 'TASK-2', title: 'High', labels: ['bug'], priority: 1, path: pathOf('TASK-2') },
      { identifier: 'TASK-1' },
      { identifier: 'TASK-3', dispatchable: false, undispatchable_reason: 'blocked by TASK-1 (Todo)' },
    ]);
    expect(await fail(['list', '--state', 'Tood', ...inDir])).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('Did you mean "Todo"?'),
    });
  });

  it('names the files that are left out, and lets no text steer the terminal', async () => {
    await writeFile(pathOf('TASK-7'), 'half');
    await writeFile(pathOf('TASK-8'), issueText('Todo').replace('An issue', '"\\e[2Jboo\\nx"'));
    const { out, err } = await aiops(['list', ...inDir]);
    expect(err).toBe(
      `aiops: warning: ${pathOf('TASK-7')} is left out: it does not start with a "---" line\n`,
    );
    expect(out).toContain('\u{FFFD}[2Jboo x\n');
    expect(out).not.toContain('\u001b');
  });

  it('says when there is nothing to show', async () => {
    const { out, err } = await aiops(['list', '--state', 'Backlog', ...inDir]);
    expect(out).toBe('');
    expect(err).toContain('no issues to show');
  });
});

describe('aiops issue show, move and comment', () => {
  beforeEach(async () => {
    await succeed(['new', 'Fix it', '--body', 'Please.', ...inDir]);
  });

  it('work with an identifier in any case', async () => {
    expect(await succeed(['move', 'task-1', 'in', 'progress', ...inDir])).toBe(
      'TASK-1: Todo -> In Progress\n',
    );
    expect(await succeed(['move', 'TASK-1', 'In Progress', ...inDir])).toBe(
      'TASK-1 is already In Progress\n',
    );
    expect(await succeed(['comment', 'Task-1', 'First', 'words', ...inDir])).toBe('TASK-1: comment added\n');
    await succeed(['comment', 'TASK-1', '-', '--author', 'Bob B', ...inDir], 'From a pipe\n\n');
    await succeed(['comment', 'TASK-1', ...inDir], 'Also from a pipe\n');
    const shown = await succeed(['show', 'task-1', ...inDir]);
    expect(shown).toMatch(/^TASK-1 {2}Fix it\nstate {5}In Progress\n/);
    expect(shown).toMatch(
      /\n\nPlease\.\n\n-- ada, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nFirst words\n\n-- Bob B, \d{4}-\d\d-\d\d [\d:]+\nFrom a pipe\n\n-- ada, /,
    );
    expect(JSON.parse(await succeed(['show', 'TASK-1', '--json', ...inDir]))).toMatchObject({
      identifier: 'TASK-1',
      state: 'In Progress',
      description: 'Please.',
      comments: [{ author: 'ada', body: 'First words' }, { author: 'Bob B' }, { author: 'ada' }],
    });
  });

  it('take a new state only when it is meant', async () => {
    expect(await fail(['move', 'TASK-1', 'Wating', ...inDir])).toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--new-state'),
    });
    expect(await succeed(['move', 'TASK-1', 'Waiting', '--new-state', ...inDir])).toBe(
      'TASK-1: Todo -> Waiting\n',
    );
    await succeed(['new', 'Another', ...inDir]);
    expect(await succeed(['move', 'TASK-2', 'waiting', ...inDir])).toBe('TASK-2: Todo -> Waiting\n');
  });

  it.each([
    [['show', 'TASK-11'], 'issue_not_found', 'Did you mean TASK-1?'],
    [['move', 'TSAK-1', 'Done'], 'issue_not_found', 'Did you mean TASK-1?'],
    [['show', 'nothing-like-it'], 'issue_not_found', 'issue list --all'],
    [['show', '../TASK-1'], 'issue_not_found', ''],
    [['comment', 'TASK-1', '-'], 'usage', 'aiops issue comment TASK-1'],
  ])('refuse %j', async (args, code, hint) => {
    expect(await fail([...args, ...inDir])).toMatchObject({ code, hint: expect.stringContaining(hint) });
  });

  it('refuse a comment that is too large', async () => {
    const { message } = await fail(['comment', 'TASK-1', ...inDir], 'x'.repeat(64 * 1024 + 1));
    expect(message).toBe('The comment is larger than 64 KiB.');
  });

  it('say what is wrong with a file that is no issue', async () => {
    await writeFile(pathOf('TASK-1'), '---\ntitle: x\n---\n');
    expect((await fail(['show', 'TASK-1', ...inDir])).message).toContain('state is missing');
  });
});

describe('the folder of aiops issue', () => {
  const workflow = (tracker: string): string =>
    `---\ntracker:\n${tracker}\nrepo:\n  clone_url: https://example.invalid/a/b.git\n---\nDo it.\n`;

  it('comes from the workflow file, with its prefix and states', async () => {
    const tracker = '  kind: local\n  path: ./work\n  issue_prefix: ENG\n  active_states: [Ready, Doing]';
    await writeFile(join(folder, 'WORKFLOW.md'), workflow(tracker));
    expect(await succeed(['new', 'First'])).toBe(`ENG-1 ${join(folder, 'work', 'ENG-1.md')}\n`);
    expect(await succeed(['list'])).toContain('Ready');
    onTestFinished(() => rm(join(folder, 'other.md'), { force: true }));
    await writeFile(join(folder, 'other.md'), workflow('  kind: local\n  path: ./other'));
    expect(await succeed(['new', 'First', '--workflow', 'other.md'])).toContain('TASK-1 ');
  });

  it('is asked for when nothing names it', async () => {
    expect((await fail(['list'])).hint).toContain('--dir');
    expect(await fail(['list', '--dir', 'nowhere'])).toMatchObject({
      message: expect.stringContaining('does not exist'),
      hint: expect.stringContaining('mkdir -p'),
    });
    await writeIssue(folder, 'TASK-1');
    expect(await succeed(['list', '--dir', '.'])).toContain('TASK-1');
  });

  it('is refused when the workflow uses another tracker', async () => {
    await writeFile(
      join(folder, 'WORKFLOW.md'),
      workflow('  kind: linear\n  api_key: dummy\n  project_slug: p'),
    );
    expect((await fail(['list'])).message).toContain('linear');
  });
});

it.each([['new'], ['list'], ['show'], ['move'], ['comment']])(
  'aiops issue %s --help has examples',
  async (name) => {
    const { out } = await aiops([name, '--help']);
    expect(out).toContain('Examples:');
    expect(out).toContain(`aiops issue ${name} `);
    expect(out).toContain('--dir');
  },
);
