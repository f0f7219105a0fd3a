import { resolve } from 'node:path';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { evaluateWorkflow } from './evaluate.ts';
import type { ConfigProblem } from './problem.ts';
import type { Provenance } from './provenance.ts';
import { readWorkflow } from './read-workflow.ts';
import type { Overrides } from './resolve/context.ts';

export interface LoadOptions {
  readonly path: string;
  readonly environment: Environment;
  readonly overrides?: Overrides;
}

export interface LoadedWorkflow {
  readonly ok: true;
  readonly config: Config;
  readonly warnings: readonly ConfigProblem[];
  readonly provenance: Provenance;
  /** Values that came from variables, and credentials written out: not to be printed as they are. */
  readonly fromVariables: ReadonlySet<string>;
  /** Whether the file writes settings at all. */
  readonly source: 'file' | 'prompt_only';
  /** Identifies the content, so that a watch knows which one is in force. */
  readonly fingerprint: string;
}

export interface FailedWorkflow {
  readonly ok: false;
  readonly problems: readonly ConfigProblem[];
  readonly fingerprint: string;
}

export type LoadResult = LoadedWorkflow | FailedWorkflow;

/** Reads, validates and resolves a workflow file; every problem of the file is in the result, none is thrown. */
export async function loadWorkflow(options: LoadOptions): Promise<LoadResult> {
  const file = resolve(options.path);
  const content = await readWorkflow(file);
  const { fingerprint } = content;
  if (!content.ok) {
    return { ok: false, problems: [{ ...content.problem, file, line: null, key: null }], fingerprint };
  }
  const { problems, ...evaluation } = evaluateWorkflow(content.text, { ...options, file });
  return problems.length > 0
    ? { ok: false, problems, fingerprint }
    : { ok: true, ...evaluation, fingerprint };
}
