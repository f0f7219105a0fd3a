import type { Evaluation } from '../../config/read/evaluate.ts';
import type { ConfigProblem } from '../../config/read/problem.ts';
import { lineOf } from '../../config/resolve/context.ts';
import { rulesOfFile } from '../../doctor/list-checks.ts';
import type { CheckedWorkflow } from '../../doctor/rules/workflow/workflow.ts';
import { runChecks } from '../../doctor/run/run-checks.ts';
import type { CliIo } from '../io.ts';
import { doctorEffects } from './effects.ts';
import { subjectOf } from './subject.ts';

const RULE_MS = 10_000;

type Known = Pick<CheckedWorkflow, 'file' | 'problems' | 'warnings'>;

/**
 * What the rules of set-up say about a file, as far as settings and files tell. `known` is what was found before: a rule does
 * not speak of a key that is already named, nor of nothing in particular when the file has mistakes.
 */
export async function findRuleProblems(
  evaluation: Omit<Evaluation, 'problems'>,
  known: Known,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<{ readonly problems: readonly ConfigProblem[]; readonly warnings: readonly ConfigProblem[] }> {
  const { config, provenance, texts, lines } = evaluation;
  const workflow = { ...known, config, provenance, texts };
  const rules = rulesOfFile(config, subjectOf(workflow, true), doctorEffects(config, io));
  const findings = await runChecks(rules, { timeoutMs: RULE_MS, redact: (text) => text, onProgress() {} });
  const named = new Set(known.problems.map(({ key }) => key));
  const found = findings.flatMap(({ verdicts }) => verdicts).filter(({ key }) => !isNamed(key, named));
  const asProblem = (status: string): readonly ConfigProblem[] =>
    found
      .filter((verdict) => verdict.status === status)
      .map(({ text, fix, key }) => ({
        code: 'setup_broken',
        file: known.file,
        line: key === null ? null : lineOf(lines, key),
        key,
        message: text,
        hint: fix ?? '',
      }));
  return { problems: asProblem('fail'), warnings: asProblem('warn') };
}

function isNamed(key: string | null, named: ReadonlySet<string | null>): boolean {
  if (key === null) return named.size > 0;
  return [...named].some((other) => other !== null && (key.startsWith(other) || other.startsWith(key)));
}
