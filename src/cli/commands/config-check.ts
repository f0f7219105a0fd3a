import { type LoadedWorkflow, loadWorkflow } from '../../config/load.ts';
import { type ConfigProblem, formatProblem } from '../../config/problem.ts';
import { findRootConflict, rootUseOf } from '../../config/shared-roots.ts';
import { chooseWorkflowPath } from '../../config/workflow-path.ts';
import { AppError } from '../../errors/app-error.ts';
import { checkTemplate } from '../../prompt/check-template.ts';
import type { CliIo } from '../io.ts';

export interface CheckFlags {
  readonly json: boolean;
  readonly strict: boolean;
}

interface Checked {
  readonly file: string;
  readonly loaded: LoadedWorkflow | null;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
}

/** `aiops config check`: loads each file and renders its prompt; nothing is started and nothing is asked. */
export async function checkConfig(
  paths: readonly string[],
  flags: CheckFlags,
  io: Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd'>,
): Promise<number> {
  const files = paths.length === 0 ? [undefined] : paths;
  const checked = await Promise.all(files.map((path) => checkFile(path, io)));
  const all = addRootConflicts(checked);
  if (flags.json) io.stdout(`${JSON.stringify(all.map(toJson), null, 2)}\n`);
  else for (const one of all) io.stdout(describe(one));
  const bad = all.some(
    ({ problems, warnings }) => problems.length > 0 || (flags.strict && warnings.length > 0),
  );
  return bad ? 1 : 0;
}

export async function checkFile(
  path: string | undefined,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<Checked> {
  let file: string;
  try {
    file = await chooseWorkflowPath(path, io.environment, io.cwd);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = problemOf(error, path ?? 'WORKFLOW.md');
    return { file: problem.file, loaded: null, problems: [problem], warnings: [] };
  }
  const result = await loadWorkflow({ path: file, environment: io.environment });
  if (!result.ok) return { file, loaded: null, problems: result.problems, warnings: [] };
  const errors = await checkTemplate({
    template: result.config.promptTemplate,
    firstLine: result.config.promptLine,
    trackerKind: result.config.tracker.kind,
  });
  const problems = errors.map((error) => problemOf(error, file));
  return { file, loaded: result, problems, warnings: result.warnings };
}

function problemOf(error: AppError, file: string): ConfigProblem {
  const line = error.context['line'];
  const { code, message, hint } = error;
  return { code, file, line: typeof line === 'number' ? line : null, key: null, message, hint: hint ?? '' };
}

/** Each file against the ones before it. */
function addRootConflicts(checked: readonly Checked[]): readonly Checked[] {
  return checked.map((one, index) => {
    const conflicts = checked.slice(0, index).flatMap((other) => {
      if (one.loaded === null || other.loaded === null || one.file === other.file) return [];
      const conflict = findRootConflict(rootUseOf(one.loaded.config), rootUseOf(other.loaded.config));
      return conflict === null ? [] : [{ ...conflict, file: one.file, line: null, key: 'workspace.root' }];
    });
    return { ...one, problems: [...one.problems, ...conflicts] };
  });
}

function describe({ file, loaded, problems, warnings }: Checked): string {
  const lines = [
    ...problems.map((problem) => `error: ${formatProblem(problem)}`),
    ...warnings.map((warning) => `warning: ${formatProblem(warning)}`),
  ];
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const facts =
    loaded === null
      ? ''
      : ` (${loaded.config.dialect} dialect, tracker ${loaded.config.tracker.kind}, agent ${loaded.config.agent.default}${profilesOf(loaded.config)})`;
  const verdict = problems.length === 0 ? 'ok' : count(problems.length, 'error');
  const doubts = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`;
  return `${[...lines, `${file}: ${verdict}${doubts}${facts}`].join('\n')}\n`;
}

const MOST_NAMES = 10;

function profilesOf({ agent: { profiles } }: LoadedWorkflow['config']): string {
  if (profiles.length === 0) return '';
  const names = profiles.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = profiles.length > MOST_NAMES ? ` and ${profiles.length - MOST_NAMES} more` : '';
  return `, profiles ${names.join(', ')}${more}`;
}

function toJson({ file, loaded, problems, warnings }: Checked): object {
  return {
    file,
    ok: problems.length === 0,
    dialect: loaded?.config.dialect ?? null,
    problems,
    warnings,
  };
}
