import type { Command } from 'commander';
import type { TrackerConfig } from '../../config/config.ts';
import { loadWorkflow } from '../../config/read/load.ts';
import { problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { AppError } from '../../errors/app-error.ts';
import { silentLogger } from '../../observability/logger.ts';
import { type LabelSetup, missingLabels } from '../../trackers/forge/states/label-setup.ts';
import type { CliIo } from '../io.ts';
import { namedWorkflow } from '../workflow-option.ts';

interface SyncFlags {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `aiops labels sync`: the one command that writes to a tracker, and only because a person asked. */
export function registerLabelsCommand(
  program: Command,
  io: Pick<CliIo, 'stdout' | 'environment' | 'cwd'>,
  finish: (exitCode: number) => void,
): void {
  const labels = program.command('labels').description('look after the labels that stand for states');
  labels
    .command('sync')
    .description('create the state labels that the repository lacks (GitHub, Gitea, Forgejo)')
    .option('--dry-run', 'only say which labels would be created', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExisting labels are never changed or deleted. The token needs the right to write issues.',
    )
    .action(async (flags: SyncFlags, command: Command) => {
      io.stdout(await syncLabelsOf(namedWorkflow(command), io, flags));
      finish(0);
    });
}

/** Creates what the repository of a workflow lacks, and says what that was. */
export async function syncLabelsOf(
  workflow: string | undefined,
  { environment, cwd }: Pick<CliIo, 'environment' | 'cwd'>,
  flags: Pick<SyncFlags, 'dryRun' | 'json'> = { dryRun: false, json: false },
): Promise<string> {
  const path = await chooseWorkflowPath(workflow, environment, cwd);
  const loaded = await loadWorkflow({ path, environment });
  if (!loaded.ok) throw problemsToError(loaded.problems);
  const desk = await openDesk(loaded.config.tracker);
  return syncLabels(desk, flags, new AbortController().signal);
}

/** Throws `usage` for a tracker whose states are no labels. */
export async function openDesk(config: TrackerConfig): Promise<LabelSetup> {
  const dependencies = { logger: silentLogger };
  if (config.kind === 'github')
    return (await import('../../trackers/github/label-setup.ts')).createGithubLabelSetup(
      config,
      dependencies,
    );
  if (config.kind === 'gitea')
    return (await import('../../trackers/gitea/label-setup.ts')).createGiteaLabelSetup(config, dependencies);
  throw new AppError('usage', `Issues of kind ${config.kind} have no state labels.`, {
    hint: 'Labels stand for states on github and gitea only.',
  });
}

async function syncLabels(
  desk: LabelSetup,
  { dryRun, json }: Pick<SyncFlags, 'dryRun' | 'json'>,
  signal: AbortSignal,
): Promise<string> {
  const missing = await missingLabels(desk, signal);
  if (!dryRun) for (const label of missing) await desk.create(label, signal);
  if (json) {
    const labels = missing.map(({ name, description }) => ({ name, description }));
    return `${JSON.stringify({ wanted: desk.wanted.length, created: !dryRun, labels }, null, 2)}\n`;
  }
  if (missing.length === 0) return `All ${desk.wanted.length} state labels are there.\n`;
  const verb = dryRun ? 'would create' : 'created';
  return missing.map(({ name, description }) => `${verb} ${name}: ${description}\n`).join('');
}
