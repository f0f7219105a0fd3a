import type { Command } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import type { RegisterCommand } from '../register-command.ts';
import {
  printJson,
  type RemoteFlags,
  type RemoteIo,
  remoteFlags,
  withRemote,
  withWorker,
} from '../remote/connect.ts';
import { formatIssueStatus, formatStatus } from '../remote/format-status.ts';

/** `aiops status`: what a running worker does. */
export const registerStatusCommand: RegisterCommand<RemoteIo> = (program, io, finish) => {
  withRemote(program.command('status'))
    .description('show what the worker is doing, or where one issue stands')
    .argument('[issue]', 'an identifier or id, in any case')
    .action(async (issue: string | undefined, _flags: object, command: Command) => {
      const flags = remoteFlags(command);
      await (issue === undefined ? showStatus(flags, io) : showIssue(issue, flags, io));
      finish(0);
    });
};

async function showStatus(flags: RemoteFlags, io: RemoteIo): Promise<void> {
  const state = await withWorker(flags, io, (client, signal) => client.state(signal()));
  if (flags.json) printJson(io, state);
  else io.stdout(formatStatus(state, io.outputColumns?.() ?? null));
}

async function showIssue(name: string, flags: RemoteFlags, io: RemoteIo): Promise<void> {
  const issue = await withWorker(flags, io, (client, signal) => client.issue(name, signal()));
  if (issue === null) {
    throw new AppError('issue_not_found', `the worker has not seen an issue ${JSON.stringify(name)}`, {
      hint: 'Run `aiops status` for the issues it works on.',
    });
  }
  if (flags.json) printJson(io, issue);
  else io.stdout(formatIssueStatus(issue, io.outputColumns?.() ?? null));
}
