import { mkdir } from 'node:fs/promises';
import { nonBlank } from '../../../config/read/environment.ts';
import { includesState } from '../../../domain/state-name.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import type { Questions } from '../../../trackers/tracker-setup.ts';
import type { CliIo } from '../../io.ts';
import { createIssue } from '../../issue/actions.ts';
import { openLocalIssues } from '../../issue/local-issues.ts';
import { resolveIssueFolder } from '../../issue/settings.ts';
import { syncLabelsOf } from '../../labels/command.ts';
import type { Plan } from '../decide/plan.ts';
import type { InitFlags } from '../flags.ts';
import { trackerNamed } from '../kinds.ts';

type SetUpIo = Pick<CliIo, 'stdout' | 'stderr' | 'stdin' | 'cwd' | 'environment'>;

const EXAMPLE = {
  title: 'Say in the README how the project is checked',
  body: 'Add a short section to README.md (create it if there is none) that names the commands by which a change is checked, and what they need. Nothing else changes.',
};

/** The folder of issues, and the example if it is wanted. True when there is an issue that is ready. */
export async function prepareIssues(
  workflowPath: string,
  flags: Pick<InitFlags, 'example'>,
  questions: Questions | null,
  io: SetUpIo,
): Promise<boolean> {
  const settings = await resolveIssueFolder({ workflow: workflowPath }, io);
  await mkdir(settings.path, { recursive: true });
  const local = await openLocalIssues(settings);
  const isReady = local.entries.some(
    (entry) => entry.kind === 'issue' && includesState(settings.states.active, entry.content.fields.state),
  );
  if (isReady) return true;
  const question = `Write a first issue to try it with? ("${EXAMPLE.title}")`;
  const wanted = flags.example ?? (await questions?.confirm(question, true)) ?? false;
  if (!wanted) return false;
  io.stdout(`First issue: ${await createIssue(local, [EXAMPLE.title], { body: EXAMPLE.body }, io)}`);
  return true;
}

/**
 * Creates the labels that stand for states, if that is wanted and can be done; true when they still have to be made. A
 * refusal is told; the checks say it again.
 */
export async function prepareLabels(
  workflowPath: string,
  plan: Plan,
  flags: Pick<InitFlags, 'labels' | 'yes' | 'offline'>,
  questions: Questions | null,
  io: SetUpIo,
): Promise<boolean> {
  const { kind, repository, tokenVariable } = plan.tracker;
  if (trackerNamed(kind).states !== 'labels' || repository === null) return false;
  if (flags.offline || nonBlank(io.environment, tokenVariable ?? '') === null) return true;
  const question = `Create the labels for states that ${repository.owner}/${repository.name} lacks?`;
  const wanted = flags.labels ?? (await questions?.confirm(question, true)) ?? flags.yes;
  if (!wanted) return true;
  try {
    io.stdout(await syncLabelsOf(workflowPath, io));
    return false;
  } catch (error) {
    const hint = error instanceof AppError ? (error.hint ?? '') : '';
    io.stderr(`The labels could not be created: ${messageOf(error)} ${hint}\n`);
    return true;
  }
}
