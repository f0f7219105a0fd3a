import { ACTION_BODIES, ACTION_NAMES, type ActionName } from '../../contract/actions.ts';
import { AppError } from '../../errors/app-error.ts';
import { examplesText } from '../examples.ts';
import { oneLine } from '../history/text.ts';
import { jsonText } from '../json-text.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type RemoteFlags, type RemoteIo, remoteFlags, withRemote, withWorker } from '../remote/connect.ts';
import { withProgress } from '../terminal/progress.ts';
import { userName } from '../user-name.ts';

interface OperateFlags extends RemoteFlags {
  readonly by?: string;
  readonly resetBudget?: boolean;
}

/** The worker answers when the remote has; it gives up sooner than this. */
const PUSH_PATIENCE_MS = 11 * 60_000;

const EXAMPLES: Readonly<Record<ActionName, readonly string[]>> = {
  pause: ['aiops pause'],
  resume: ['aiops resume'],
  stop: ['aiops stop TASK-1'],
  retry: ['aiops retry TASK-1', 'aiops retry TASK-1 --reset-budget'],
  unblock: ['aiops unblock TASK-1'],
  answer: ['aiops answer TASK-1 "Take the second one."', 'aiops answer TASK-1 - < answer.md'],
  message: ['aiops message TASK-1 "Please look at the tests, too."'],
  push: ['aiops push TASK-1'],
  'clear-stop': ['aiops clear-stop TASK-1'],
};

/** One command per operator action, over the API of a running worker. What it takes is what its body takes. */
export const OPERATE_COMMANDS: ReadonlyMap<string, RegisterCommand<RemoteIo>> = new Map(
  ACTION_NAMES.map((action) => [action, operateCommand(action)]),
);

function operateCommand(action: ActionName): RegisterCommand<RemoteIo> {
  const { shape, description = '' } = ACTION_BODIES[action];
  return (program, io, finish) => {
    const command = withRemote(program.command(action), examplesText(...EXAMPLES[action])).description(
      description,
    );
    if ('issue' in shape) command.argument('<issue>', 'an identifier or id, in any case');
    if ('text' in shape) command.argument('<text...>', 'what to say; "-" reads it from standard input');
    if ('reset_budget' in shape)
      command.option('--reset-budget', 'count the budgets of the issue from nothing again');
    command.option('--by <name>', 'who asks, for the record (default: your user name)');
    command.action(async () => {
      const [issue, words] = command.processedArgs as [string?, string[]?];
      await operate(action, issue, words, remoteFlags<OperateFlags>(command), io);
      finish(0);
    });
  };
}

async function operate(
  action: ActionName,
  issue: string | undefined,
  words: readonly string[] | undefined,
  flags: OperateFlags,
  io: RemoteIo,
): Promise<void> {
  const wanted = {
    ...(issue === undefined ? {} : { issue }),
    ...(words === undefined ? {} : { text: await readText(words, io) }),
    ...(flags.resetBudget === true ? { reset_budget: true } : {}),
    by: flags.by ?? userName(io.environment) ?? 'cli',
  };
  const body = ACTION_BODIES[action].safeParse(wanted);
  if (!body.success) {
    const [problem] = body.error.issues;
    throw new AppError(
      'usage',
      `${problem?.path.join('.') ?? 'it'}: ${problem?.message ?? 'cannot be sent'}`,
      {
        hint: `Run \`aiops ${action} --help\` for what it takes.`,
      },
    );
  }
  const result = await withWorker(flags, io, (client, signal) => {
    const isLong = action === 'push';
    const act = () =>
      client.act(action, body.data, { signal: isLong ? AbortSignal.timeout(PUSH_PATIENCE_MS) : signal() });
    return isLong ? withProgress(io, 'pushing', act) : act();
  });
  if (flags.json) io.stdout(jsonText(result));
  else {
    const about = result.issue_identifier === null ? '' : `${oneLine(result.issue_identifier)}: `;
    io.stdout(`${about}${result.message}${result.changed ? '' : ' (nothing had to change)'}\n`);
  }
}

async function readText(words: readonly string[], io: RemoteIo): Promise<string> {
  return words.length === 1 && words[0] === '-' ? (await io.stdin()).trim() : words.join(' ');
}
