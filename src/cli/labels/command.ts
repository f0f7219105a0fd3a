import type { Command } from 'commander';
import { problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { silentLogger } from '../../observability/logger.ts';
import { type LabelSetup, missingLabels } from '../../trackers/forge/states/label-setup.ts';
import { openLabelSetup } from '../../trackers/registry.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { withProgress } from '../terminal/progress.ts';
import { loadWorkflow } from '../workflow-file.ts';
import { namedWorkflow } from '../workflow-option.ts';

interface SyncFlags {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `aiops labels sync`: the one command that writes to a tracker, and only because a person asked. */
export const registerLabelsCommand: RegisterCommand<
  Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'interactive'>
> = (program, io, finish) => {
  const labels = program.command('labels').description('look after the labels that stand for states');
  labels
    .command('sync')
    .description('create the state labels that the repository lacks (GitHub, Gitea, Forgejo)')
    .option('--dry-run', 'only say which labels would be created', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examplesText('aiops labels sync --dry-run', 'aiops labels sync')}` +
        '\nExisting labels are never changed or deleted. The token needs the right to write issues.',
    )
    .action(async (flags: SyncFlags, command: Command) => {
      const sync = () => syncLabelsOf(namedWorkflow(command), io, flags);
      io.stdout(await withProgress(io, 'asking the repository for its labels', sync));
      finish(0);
    });
};

/** Creates what the repository of a workflow lacks, and says what that was. */
export async function syncLabelsOf(
  workflow: string | undefined,
  { environment, cwd }: Pick<CliIo, 'environment' | 'cwd'>,
  flags: Pick<SyncFlags, 'dryRun' | 'json'> = { dryRun: false, json: false },
): Promise<string> {
  const path = await chooseWorkflowPath(workflow, environment, cwd);
  const loaded = await loadWorkflow({ path, environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  const setup = await openLabelSetup(loaded.config.tracker, { logger: silentLogger });
  return syncLabels(setup, flags, new AbortController().signal);
}

async function syncLabels(
  setup: LabelSetup,
  { dryRun, json }: Pick<SyncFlags, 'dryRun' | 'json'>,
  signal: AbortSignal,
): Promise<string> {
  const missing = await missingLabels(setup, signal);
  if (!dryRun) for (const label of missing) await setup.create(label, signal);
  if (json) {
    const labels = missing.map(({ name, description }) => ({ name, description }));
    return `${JSON.stringify({ wanted: setup.wanted.length, created: !dryRun, labels }, null, 2)}\n`;
  }
  if (missing.length === 0) return `All ${setup.wanted.length} state labels are there.\n`;
  const verb = dryRun ? 'would create' : 'created';
  return missing.map(({ name, description }) => `${verb} ${name}: ${description}\n`).join('');
}
