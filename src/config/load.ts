import { resolve } from 'node:path';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { evaluateWorkflow } from './evaluate.ts';
import type { ConfigProblem } from './problem.ts';
import type { Provenance } from './provenance.ts';
import { readWorkflowText } from './read-workflow.ts';
import type { Overrides } from './resolve/context.ts';

export interface LoadOptions {
  readonly path: string;
  readonly environment: Environment;
  readonly overrides?: Overrides;
}

export type LoadResult =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly ConfigProblem[];
      readonly provenance: Provenance;
      /** Line of the file the prompt starts on, for messages about the template. */
      readonly promptLine: number;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads, validates and resolves a workflow file; every problem of the file is in the result, none is thrown. */
export async function loadWorkflow(options: LoadOptions): Promise<LoadResult> {
  const file = resolve(options.path);
  const read = await readWorkflowText(file);
  if (!read.ok) return { ok: false, problems: [read.problem] };
  const { config, problems, warnings, provenance, promptLine } = evaluateWorkflow(read.text, {
    ...options,
    file,
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config, warnings, provenance, promptLine };
}
