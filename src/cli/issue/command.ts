import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../config/read/environment.ts';
import { examplesText } from '../examples.ts';
import { jsonText } from '../json-text.ts';
import { lookOf } from '../terminal/look.ts';
import { userName } from '../user-name.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
import { commentIssue, createIssue, formatMoved, moveIssue, type NewFlags, showIssue } from './actions.ts';
import { type ListFlags, listIssues } from './list-issues.ts';
import { type LocalIssues, openLocalIssues } from './local-issues.ts';
import { type FolderFlags, resolveIssueFolder } from './settings.ts';

/** What the issue commands need of the outside world. */
export interface IssueIo {
  stdout(text: string): void;
  stderr(text: string): void;
  stdin(): Promise<string>;
  readonly environment: Environment;
  readonly cwd: string;
  outputColumns?(): number | null;
  /** Null without one. */
  readonly terminal?: object | null;
}

/** Adds `aiops issue …`, for working with a folder of Markdown issues by hand. */
export function registerIssueCommand(program: Command, io: IssueIo): void {
  const issue = program
    .command('issue')
    .description('work with a folder of Markdown issues: new, list, show, edit, move, comment')
    .addHelpText('after', ISSUE_HELP);
  const open: OpenIssues = async (flags, missingIsEmpty) =>
    openLocalIssues(await resolveIssueFolder(flags, io), missingIsEmpty);
  addNew(issue, io, open);
  addList(issue, io, open);
  addShow(issue, io, open);
  addMove(issue, io, open);
  addComment(issue, io, open);
  addEdit(issue, io, open);
}

interface JsonFlag {
  readonly json?: boolean;
}

interface MoveFlags {
  readonly newState?: boolean;
}

type OpenIssues = (flags: FolderFlags, missingIsEmpty?: boolean) => Promise<LocalIssues>;

function addNew(issue: Command, io: IssueIo, open: OpenIssues): void {
  withFolderFlags(issue.command('new'))
    .description('create an issue and print its identifier and file')
    .argument('<title...>', 'the title; end it with "-" to read the description from standard input')
    .option('-b, --body <text>', 'the description')
    .option('-F, --body-file <path>', 'read the description from a file; "-" is standard input')
    .option('-s, --state <name>', 'the state to start in (default: the first active state)')
    .option('-p, --priority <number>', '1 is the most urgent, 4 the least', parsePriority)
    .option('-l, --label <name>', 'a label; repeat it, or separate several by commas', collect)
    .option('--blocked-by <id>', 'an issue to finish before this one starts; repeatable', collect)
    .option('-a, --assignee <name>', 'who it is assigned to')
    .option('--author <name>', 'who writes it; tracker.trust may ask for that')
    .option('--prefix <text>', 'start of the identifier (default: tracker.issue_prefix, or TASK)')
    .option('--new-state', 'accept a state that no issue is in yet')
    .option('--json', 'print JSON')
    .addHelpText('after', NEW_HELP)
    .action(async (title: string[], flags: NewFlags & JsonFlag & FolderFlags, command: Command) => {
      const created = await createIssue(await open(folderOf(command), true), title, flags, io);
      io.stdout(flags.json === true ? jsonText(created) : `${created.identifier} ${created.path}\n`);
    });
}

function addList(issue: Command, io: IssueIo, open: OpenIssues): void {
  withFolderFlags(issue.command('list'))
    .description('list the issues that are not finished')
    .option('-s, --state <name>', 'only issues in this state; repeatable', collect)
    .option('--all', 'finished issues too')
    .option('--json', 'print JSON')
    .addHelpText('after', LIST_HELP)
    .action(async (flags: ListFlags & FolderFlags, command: Command) => {
      const { text, notes } = listIssues(await open(folderOf(command)), flags, lookOf(io));
      for (const note of notes) io.stderr(`aiops: ${note}\n`);
      io.stdout(text);
    });
}

function addShow(issue: Command, io: IssueIo, open: OpenIssues): void {
  withUtc(withFolderFlags(issue.command('show')))
    .description('print an issue with its comments')
    .argument('<id>', 'the identifier, in any case')
    .option('--json', 'print JSON')
    .addHelpText('after', SHOW_HELP)
    .action(async (id: string, flags: JsonFlag & UtcFlag & FolderFlags, command: Command) => {
      io.stdout(showIssue(await open(folderOf(command)), id, flags.json === true, lookOf(io, flags)));
    });
}

function addMove(issue: Command, io: IssueIo, open: OpenIssues): void {
  withFolderFlags(issue.command('move'))
    .description('move an issue to another state')
    .argument('<id>', 'the identifier, in any case')
    .argument('<state...>', 'the state, in any case')
    .option('--new-state', 'accept a state that no issue is in yet')
    .option('--json', 'print JSON')
    .addHelpText('after', MOVE_HELP)
    .action(
      async (id: string, state: string[], flags: MoveFlags & JsonFlag & FolderFlags, command: Command) => {
        const local = await open(folderOf(command));
        const moved = await moveIssue(local, id, state.join(' '), flags.newState === true);
        io.stdout(flags.json === true ? jsonText(moved) : formatMoved(moved));
      },
    );
}

function addComment(issue: Command, io: IssueIo, open: OpenIssues): void {
  withFolderFlags(issue.command('comment'))
    .description('add a comment to an issue')
    .argument('<id>', 'the identifier, in any case')
    .argument('[text...]', 'the comment; without it, or with "-", it is read from standard input')
    .option('--author <name>', 'who writes it (default: your user name)')
    .option('--json', 'print JSON')
    .addHelpText('after', COMMENT_HELP)
    .action(
      async (
        id: string,
        text: string[],
        flags: { author?: string } & JsonFlag & FolderFlags,
        command: Command,
      ) => {
        const author = flags.author ?? userName(io.environment) ?? 'me';
        const added = await commentIssue(await open(folderOf(command)), id, text, author, io);
        io.stdout(flags.json === true ? jsonText(added) : `${added.identifier}: comment added\n`);
      },
    );
}

function addEdit(issue: Command, io: IssueIo, open: OpenIssues): void {
  withFolderFlags(issue.command('edit'))
    .description('open an issue in your editor ($VISUAL, $EDITOR), and check what you saved')
    .argument('<id>', 'the identifier, in any case')
    .option('--json', 'print JSON')
    .addHelpText('after', EDIT_HELP)
    .action(async (id: string, flags: JsonFlag & FolderFlags, command: Command) => {
      const { editIssue } = await import('./edit-issue.ts');
      const place = { environment: io.environment, cwd: io.cwd, hasTerminal: (io.terminal ?? null) !== null };
      const edited = await editIssue(await open(folderOf(command)), id, place);
      const said = edited.changed ? 'saved' : 'left as it was';
      io.stdout(flags.json === true ? jsonText(edited) : `${edited.identifier}: ${said}\n`);
    });
}

/** A flag given several times; a variadic one would swallow the arguments after it. */
function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function withFolderFlags(command: Command): Command {
  return command.option(
    '-d, --dir <folder>',
    'the folder of issues (default: tracker.path of the workflow file)',
  );
}

function folderOf(command: Command): FolderFlags {
  return command.optsWithGlobals<FolderFlags>();
}

function parsePriority(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, for example 2.');
  return Number(text);
}

const ISSUE_HELP = `
Each issue is one Markdown file in a folder; edit it with any editor, also while the worker runs.

Examples:
  aiops issue new "Fix the login page" --priority 1 --label bug
  aiops issue list
  aiops issue move TASK-1 Todo

Run "aiops issue COMMAND --help" for more about a command.`;

const NEW_HELP = examplesText(
  'aiops issue new "Fix the login page"',
  'aiops issue new "Add dark mode" --priority 3 --label ui --blocked-by TASK-1',
  'aiops issue new "Later" --state Backlog --body "Not before the release."',
  'git log -1 --format=%B | aiops issue new "Follow up" -',
);

const LIST_HELP = examplesText(
  'aiops issue list',
  'aiops issue list --state "Human Review"',
  'aiops issue list --all --json',
);

const SHOW_HELP = examplesText('aiops issue show TASK-1', 'aiops issue show task-1 --json');

const MOVE_HELP = examplesText(
  'aiops issue move TASK-1 Todo',
  'aiops issue move TASK-1 in progress',
  'aiops issue move TASK-1 "Waiting for Ada" --new-state',
);

const COMMENT_HELP = examplesText(
  'aiops issue comment TASK-1 "Looks good, but rename the flag."',
  'aiops issue comment TASK-1 - < review.md',
);

const EDIT_HELP = `${examplesText('aiops issue edit TASK-1', 'EDITOR="code --wait" aiops issue edit TASK-1')}
A copy is edited; it replaces the issue when it is valid and nobody else has written to it meanwhile.`;
