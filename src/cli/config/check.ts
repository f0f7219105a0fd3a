import type { Config } from '../../config/config.ts';
import type { LoadedWorkflow } from '../../config/read/load.ts';
import { type ConfigProblem, formatProblem } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { findRootConflict, rootUseOf } from '../../config/roots/shared-roots.ts';
import type { CheckedWorkflow } from '../../doctor/rules/workflow/workflow.ts';
import { AppError } from '../../errors/app-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { checkTemplate } from '../../prompt/check-template.ts';
import { findRuleProblems } from '../doctor/rule-problems.ts';
import type { CliIo } from '../io.ts';
import { loadWorkflow } from '../workflow-file.ts';

export interface CheckFlags {
  readonly json: boolean;
  readonly strict: boolean;
}

interface Checked extends CheckedWorkflow {
  readonly loaded: LoadedWorkflow | null;
}

/** `aiops config check`: loads each file and renders its prompt; nothing is started and nothing is asked. */
export async function checkConfig(
  paths: readonly string[],
  flags: CheckFlags,
  io: Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd'>,
): Promise<number> {
  const files = paths.length === 0 ? [undefined] : paths;
  const checked = await Promise.all(files.map((path) => checkFileWithRules(path, io)));
  const all = addRootConflicts(checked);
  if (flags.json) io.stdout(`${JSON.stringify(all.map(toJson), null, 2)}\n`);
  else for (const one of all) io.stdout(describe(one));
  const bad = all.some(
    ({ problems, warnings }) => problems.length > 0 || (flags.strict && warnings.length > 0),
  );
  return bad ? EXIT.failed : EXIT.ok;
}

/** Loads a file and renders its prompt. What loads of a file with mistakes is judged by the rules of set-up at once. */
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
    return { ...NOTHING, file: problem.file, problems: [problem] };
  }
  const result = await loadWorkflow({ path: file, environment: io.environment });
  if (result.ok) return checkedWorkflow(result);
  if (result.rest === null) return { ...NOTHING, file, problems: result.problems };
  const { config, warnings } = result.rest;
  const found = await findRuleProblems(result.rest, { file, problems: result.problems, warnings }, io);
  const problems = [...result.problems, ...(await templateProblems(config, file)), ...found.problems];
  return { ...NOTHING, file, problems, warnings: [...warnings, ...found.warnings] };
}

/** A file that loads, with what rendering its prompt finds. */
export async function checkedWorkflow(loaded: LoadedWorkflow): Promise<Checked> {
  const { config, warnings, provenance, texts } = loaded;
  const file = config.workflowPath;
  return {
    file,
    config,
    loaded,
    problems: await templateProblems(config, file),
    warnings,
    provenance,
    texts,
  };
}

async function checkFileWithRules(
  path: string | undefined,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<Checked> {
  const checked = await checkFile(path, io);
  if (checked.loaded === null) return checked;
  const found = await findRuleProblems(checked.loaded, checked, io);
  return {
    ...checked,
    problems: [...checked.problems, ...found.problems],
    warnings: [...checked.warnings, ...found.warnings],
  };
}

const NOTHING: Omit<Checked, 'file'> = {
  config: null,
  loaded: null,
  problems: [],
  warnings: [],
  provenance: new Map(),
  texts: new Map(),
};

async function templateProblems(config: Config, file: string): Promise<readonly ConfigProblem[]> {
  const errors = await checkTemplate({
    template: config.promptTemplate,
    firstLine: config.promptLine,
    trackerKind: config.tracker.kind,
  });
  return errors.map((error) => problemOf(error, file));
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
      : ` (${loaded.config.dialect} dialect, tracker ${loaded.config.tracker.kind}, agent ${loaded.config.agent.kind}${profilesOf(loaded.config)})`;
  const verdict = problems.length === 0 ? 'ok' : count(problems.length, 'error');
  const doubts = warnings.length === 0 ? '' : `, ${count(warnings.length, 'warning')}`;
  return `${[...lines, `${file}: ${verdict}${doubts}${facts}`].join('\n')}\n`;
}

const MAX_NAMES = 10;

function profilesOf({ agent: { profiles } }: LoadedWorkflow['config']): string {
  if (profiles.length === 0) return '';
  const names = profiles.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = profiles.length > MAX_NAMES ? ` and ${profiles.length - MAX_NAMES} more` : '';
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
