import type { Command } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import { examplesText } from '../examples.ts';
import { oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { lookOf } from '../terminal/look.ts';
import { withProgress } from '../terminal/progress.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
import { namedWorkflow } from '../workflow-option.ts';

interface ExplainFlags extends UtcFlag {
  readonly json: boolean;
  readonly offline: boolean;
}

const HELP = `${examplesText('aiops explain TASK-1', 'aiops explain TASK-1 --json --offline')}
It asks the worker when one runs, reads the journal, and asks the tracker for the issue as it is now. Without a worker
it says what one that starts now would do. Nothing is started or changed.`;

/** `aiops explain`: why one issue runs or does not, and what can be done about it. */
export const registerExplainCommand: RegisterCommand<
  Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'outputColumns' | 'interactive'>
> = (program, io, finish) => {
  withUtc(program.command('explain'))
    .description('say everything about one issue: why it runs or not, what comes next, what you can do')
    .argument('<issue>', 'an identifier or id, in any case')
    .option('--offline', 'do not ask the tracker', false)
    .option('--json', 'print JSON', false)
    .addHelpText('after', HELP)
    .action(async (name: string, flags: ExplainFlags, command: Command) => {
      const [{ gather }, { explain }, { explanationToJson, formatExplanation }] = await Promise.all([
        import('./gather.ts'),
        import('./explanation.ts'),
        import('./format-explanation.ts'),
      ]);
      const workflow = namedWorkflow(command);
      const facts = await withProgress(io, 'asking worker, journal and tracker', () =>
        gather({ name, workflow, offline: flags.offline }, io),
      );
      const explained = explain(facts, workflow === undefined ? {} : { workflow });
      if (explained === null) throw unknownIssue(name, facts.trackerProblem);
      io.stdout(flags.json ? explanationToJson(explained) : formatExplanation(explained, lookOf(io, flags)));
      finish(0);
    });
};

function unknownIssue(name: string, trackerProblem: string | null): AppError {
  const why =
    trackerProblem === null ? '' : `; the tracker could not be asked: ${oneLine(trackerProblem, 300)}`;
  const shown = JSON.stringify(oneLine(name, 80));
  return new AppError('issue_not_found', `neither worker, journal nor tracker know an issue ${shown}${why}`, {
    hint: 'Run `aiops issues` for those in the tracker.',
  });
}
