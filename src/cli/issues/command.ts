import type { Command } from 'commander';
import { problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { type Logger, silentLogger } from '../../observability/logger.ts';
import { BROKEN_FILE } from '../../trackers/local/broken-file.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { describeWarning } from '../terminal/describe-warning.ts';
import { lookOf } from '../terminal/look.ts';
import { withProgress } from '../terminal/progress.ts';
import { printOrWatch, type WatchFlags, withWatch } from '../watch-option.ts';
import { loadWorkflow } from '../workflow-file.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { formatIssues, issuesToJson } from './format-issues.ts';
import { lookAtIssues } from './look-at-issues.ts';

interface IssuesFlags extends WatchFlags {
  readonly explain: boolean;
  readonly json: boolean;
}

type IssuesIo = Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'outputColumns' | 'outputRows'> &
  Partial<Pick<CliIo, 'interactive'>>;

/** Every look asks the tracker. */
const WATCH_SECONDS = 15;

/** `aiops issues`: what the worker sees, and why each issue would or would not run. */
export const registerIssuesCommand: RegisterCommand<IssuesIo> = (program, io, finish) => {
  const command = program
    .command('issues')
    .description('list the issues a worker would see in the tracker, best first')
    .option('--explain', 'say of each why it would or would not run, and which agent it would get', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examplesText('aiops issues', 'aiops issues --explain', 'aiops issues --explain --watch', 'aiops issues --json')}` +
        '\nThe tracker is read once; nothing is started or changed. A running worker also knows claims, retries and stops:' +
        '\nsee `aiops status` for those, `aiops explain ISSUE` for one issue, or `aiops worker --dry-run` for what one that' +
        '\nstarts now would do.',
    );
  withWatch(command, WATCH_SECONDS).action(async (flags: IssuesFlags, command: Command) => {
    await printOrWatch(flags, io, WATCH_SECONDS, () => read(namedWorkflow(command), flags, io));
    finish(0);
  });
};

async function read(workflow: string | undefined, flags: IssuesFlags, io: IssuesIo): Promise<string> {
  const path = await chooseWorkflowPath(workflow, io.environment, io.cwd);
  const loaded = await loadWorkflow({ path, environment: io.environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  const logger = warningsTo(io.stderr, flags.explain ? [BROKEN_FILE] : []);
  const look = () => lookAtIssues(loaded.config, flags.explain, logger);
  // What is watched shows the last answer while the next one is asked for.
  const found = await (flags.watch === true ? look() : withProgress(io, 'asking the tracker', look));
  return flags.json ? issuesToJson(found, flags.explain) : formatIssues(found, flags.explain, lookOf(io));
}

/** What the adapter has to complain about is part of the answer; what the explanation says too is said once. */
function warningsTo(write: (text: string) => void, except: readonly string[]): Logger {
  const logger: Logger = {
    ...silentLogger,
    warn(message, fields) {
      if (!except.includes(message)) write(`aiops: warning: ${describeWarning(message, fields)}\n`);
    },
    with: () => logger,
  };
  return logger;
}
