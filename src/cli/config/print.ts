import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nonBlank } from '../../config/read/environment.ts';
import type { Evaluation } from '../../config/read/evaluate.ts';
import { formatProblem, problemsToError } from '../../config/read/problem.ts';
import { readWorkflow } from '../../config/read/read-workflow.ts';
import { WORKFLOW_FILE } from '../../config/read/workflow-path.ts';
import type { ProvenanceEntry } from '../../config/resolve/provenance.ts';
import { configView, valueAt } from '../../config/show/view.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CliIo } from '../io.ts';
import { type Cell, formatListing } from '../terminal/format-table.ts';
import { type Look, lookOf } from '../terminal/look.ts';
import { evaluateWorkflow } from '../workflow-file.ts';

export interface PrintConfigArgs {
  /** The folder whose WORKFLOW.md is shown, or the file itself; without it `AIOPS_WORKFLOW_PATH`, then this folder. */
  readonly directory: string | undefined;
  readonly port?: number;
  readonly format?: 'json' | 'table';
  /** Show the defaults when there is no file, or no settings in it. */
  readonly allowDefaults?: boolean;
}

interface Shown {
  readonly source: 'file' | 'prompt_only' | 'default';
  readonly path: string;
  readonly evaluation: Evaluation;
}

/** `aiops worker --print-config`: every setting and where it came from. Never prints a credential. */
export async function printConfig(
  args: PrintConfigArgs,
  io: Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'outputColumns'>,
): Promise<number> {
  const target = args.directory?.trim() || nonBlank(io.environment, 'AIOPS_WORKFLOW_PATH') || '.';
  const shown = await evaluate(resolve(io.cwd, target), args, io);
  for (const warning of shown.evaluation.warnings) io.stderr(`warning: ${formatProblem(warning)}\n`);
  io.stdout(
    args.format === 'table' ? tableOf(shown, lookOf(io)) : `${JSON.stringify(reportOf(shown), null, 2)}\n`,
  );
  return 0;
}

async function evaluate(
  target: string,
  args: PrintConfigArgs,
  io: Pick<CliIo, 'environment'>,
): Promise<Shown> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const path = isFolder ? resolve(target, WORKFLOW_FILE) : target;
  const content = await readWorkflow(path);
  const missing = !content.ok && content.problem.code === 'missing_workflow_file';
  if (!content.ok && !(missing && args.allowDefaults === true && isFolder)) {
    throw new AppError(content.problem.code, `${path}: ${content.problem.message}`, {
      hint: missing
        ? 'Check the directory, or add --allow-defaults to see the defaults.'
        : content.problem.hint,
    });
  }
  const evaluation = evaluateWorkflow(content.ok ? content.text : '', {
    file: path,
    environment: io.environment,
    ...(args.port === undefined ? {} : { overrides: { port: args.port } }),
  });
  // Without settings there is no tracker; that is what the flag allows.
  const bare = args.allowDefaults === true && evaluation.source === 'prompt_only';
  if (evaluation.problems.length > 0 && !bare) throw problemsToError(evaluation.problems);
  return { source: content.ok ? evaluation.source : 'default', path, evaluation };
}

interface Entry {
  readonly value: unknown;
  readonly source: ProvenanceEntry['source'];
  readonly env_var?: string;
}

function entriesOf({ evaluation }: Shown): Map<string, Entry> {
  const view = configView(evaluation);
  const entries = new Map<string, Entry>();
  for (const [key, { source, variable }] of evaluation.provenance) {
    const value = valueAt(view, key);
    if (value !== undefined)
      entries.set(key, { value, source, ...(variable === null ? {} : { env_var: variable }) });
  }
  return entries;
}

function reportOf(shown: Shown): object {
  const { source, path, evaluation } = shown;
  const entries = entriesOf(shown);
  const { promptTemplate, dialect } = evaluation.config;
  const [firstLine = ''] = promptTemplate.split('\n');
  return {
    source,
    dialect,
    resolution: { source, ...(source === 'default' ? {} : { path }) },
    config: configView(evaluation),
    provenance: {
      workspace_root: entries.get('workspace.root'),
      mirror_root: entries.get('workspace.mirror_root'),
      server_port: entries.get('server.port'),
      workflow_path: {
        value: source === 'default' ? '' : path,
        source: source === 'default' ? 'default' : 'cli',
      },
      ...Object.fromEntries(entries),
    },
    prompt_template: {
      length: Buffer.byteLength(promptTemplate),
      first_line: [...firstLine].slice(0, 200).join(''),
    },
    warnings: evaluation.warnings.map(({ line, key, message, hint }) => ({ line, key, message, hint })),
  };
}

function tableOf(shown: Shown, look: Look): string {
  const rows = [...entriesOf(shown)].map(([key, { value, source, env_var }]): Cell[] => {
    const from = env_var === undefined ? source : `${source} (${env_var})`;
    return [key, textOf(value), { text: from, tone: source === 'default' ? 'quiet' : 'plain' }];
  });
  const table = formatListing(['KEY', 'VALUE', 'SOURCE'], rows, look);
  return `${shown.path}  (${shown.source}, ${shown.evaluation.config.dialect} dialect)\n\n${table}`;
}

const WIDEST_VALUE = 60;

function textOf(value: unknown): string {
  if (value === null) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replace(/\s*\n\s*/g, ' ⏎ ');
  return line.length > WIDEST_VALUE ? `${line.slice(0, WIDEST_VALUE - 1)}…` : line;
}
