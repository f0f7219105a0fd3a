import type { Command } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import { examplesText } from '../examples.ts';
import { jsonText } from '../json-text.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type RemoteFlags, type RemoteIo, remoteFlags, withRemote, withWorker } from '../remote/connect.ts';
import { formatIssueStatus } from '../remote/format-issue-status.ts';
import { formatStatus } from '../remote/format-status.ts';
import { lookOf } from '../terminal/look.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
import { printOrWatch, type WatchFlags, withWatch } from '../watch-option.ts';

const WATCH_SECONDS = 2;
const EXAMPLES = examplesText(
  'aiops status',
  'aiops status TASK-1',
  'aiops status --watch --interval 5',
  'aiops status --json',
);

interface StatusFlags extends RemoteFlags, UtcFlag, WatchFlags {}

/** `aiops status`: what a running worker does. */
export const registerStatusCommand: RegisterCommand<RemoteIo> = (program, io, finish) => {
  const command = withRemote(program.command('status'), EXAMPLES)
    .description('show what the worker is doing, or where one issue stands')
    .argument('[issue]', 'an identifier or id, in any case');
  withUtc(withWatch(command, WATCH_SECONDS)).action(
    async (issue: string | undefined, _flags: object, command: Command) => {
      const flags = remoteFlags<StatusFlags>(command);
      const quiet = { ...io, stderr: () => {} };
      let greeted = false;
      await printOrWatch(flags, io, WATCH_SECONDS, async () => {
        const text = await read(issue, flags, greeted ? quiet : io);
        greeted = true;
        return text;
      });
      finish(0);
    },
  );
};

function read(issue: string | undefined, flags: StatusFlags, io: RemoteIo): Promise<string> {
  return issue === undefined ? readStatus(flags, io) : readIssue(issue, flags, io);
}

async function readStatus(flags: StatusFlags, io: RemoteIo): Promise<string> {
  const state = await withWorker(flags, io, (client, signal) => client.state(signal()));
  return flags.json ? jsonText(state) : formatStatus(state, lookOf(io, flags), flags);
}

async function readIssue(name: string, flags: StatusFlags, io: RemoteIo): Promise<string> {
  const issue = await withWorker(flags, io, (client, signal) => client.issue(name, signal()));
  if (issue === null) {
    throw new AppError('issue_not_found', `the worker has not seen an issue ${JSON.stringify(name)}`, {
      hint: 'Run `aiops status` for the issues it works on.',
    });
  }
  return flags.json ? jsonText(issue) : formatIssueStatus(issue, lookOf(io, flags), flags);
}
