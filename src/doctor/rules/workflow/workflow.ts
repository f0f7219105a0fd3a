import type { Config } from '../../../config/config.ts';
import { type ConfigProblem, formatProblem } from '../../../config/read/problem.ts';
import type { Provenance } from '../../../config/resolve/provenance.ts';
import { fail, ok, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';

/** What loading a file and rendering its prompt finds. */
export interface CheckedWorkflow {
  readonly file: string;
  /** Null when the file does not load. */
  readonly config: Config | null;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  readonly provenance: Provenance;
  /** The texts of the front matter as they are written, by dotted key. */
  readonly texts: ReadonlyMap<string, string>;
}

const AGAIN = '`aiops config check` shows this list again.';

export function workflowCheck({ file, config, problems, warnings }: CheckedWorkflow): Check {
  const list = (found: readonly ConfigProblem[]): string => found.map(formatProblem).join('\n');
  return {
    id: 'workflow',
    title: 'Workflow',
    needs: 'config',
    async run() {
      if (problems.length > 0) return fail(list(problems), `Correct what is named above; ${AGAIN}`);
      if (warnings.length > 0) return warn(list(warnings), `Look at what is named above; ${AGAIN}`);
      return ok(
        `${file} is valid: tracker ${config?.tracker.kind}, agent ${config?.agent.kind}, ${config?.dialect} dialect`,
      );
    },
  };
}
