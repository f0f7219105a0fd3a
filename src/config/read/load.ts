import { resolve } from 'node:path';
import { type EvaluateOptions, type Evaluation, evaluateWorkflow } from './evaluate.ts';
import type { ConfigProblem } from './problem.ts';
import { readWorkflow } from './read-workflow.ts';

export interface LoadOptions extends Omit<EvaluateOptions, 'file'> {
  readonly path: string;
}

export interface LoadedWorkflow extends Omit<Evaluation, 'problems'> {
  readonly ok: true;
  /** Identifies the content, so that a watch knows which one is in force. */
  readonly fingerprint: string;
}

export interface FailedWorkflow {
  readonly ok: false;
  readonly problems: readonly ConfigProblem[];
  /** What could be made of the rest; null when the file could not be read. */
  readonly rest: Omit<Evaluation, 'problems'> | null;
  readonly fingerprint: string;
}

export type LoadResult = LoadedWorkflow | FailedWorkflow;

/** Reads, validates and resolves a workflow file; every problem of the file is in the result, none is thrown. */
export async function loadWorkflow(options: LoadOptions): Promise<LoadResult> {
  const file = resolve(options.path);
  const content = await readWorkflow(file);
  const { fingerprint } = content;
  if (!content.ok) {
    return {
      ok: false,
      problems: [{ ...content.problem, file, line: null, key: null }],
      rest: null,
      fingerprint,
    };
  }
  const { problems, ...evaluation } = evaluateWorkflow(content.text, { ...options, file });
  return problems.length > 0
    ? { ok: false, problems, rest: evaluation, fingerprint }
    : { ok: true, ...evaluation, fingerprint };
}
