import { formatWhole } from '../../contract/format.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { Cell, Heading } from '../terminal/format-table.ts';
import { outcomeTone } from '../terminal/tones.ts';
import { formatCost, formatDuration, oneLine } from './text.ts';

/** Of every list of runs: which one it is, and what it has spent. */
export const NAME_HEADINGS: readonly Heading[] = ['RUN', 'ISSUE', 'OUTCOME'];
export const SPENT_HEADINGS: readonly Heading[] = [
  { text: 'TOOK', spare: 2 },
  { text: 'TURNS', spare: 6 },
  { text: 'TOKENS', spare: 3 },
  { text: 'COST', spare: 4 },
];

interface Named {
  readonly runId: string;
  readonly identifier: string;
}

export function nameCells({ runId, identifier }: Named, outcome: Cell): Cell[] {
  return [oneLine(runId, 40), oneLine(identifier, 24), outcome];
}

/** What has not been written down yet is null: it is not nothing. */
export function spentCells(
  tookMs: number,
  turns: number | null,
  tokens: number | null,
  costUsd: number | null,
): Cell[] {
  const known = (count: number | null): string => (count === null ? '-' : formatWhole(count));
  return [formatDuration(tookMs), known(turns), known(tokens), formatCost(costUsd)];
}

export function endedName(run: EndedRun): Cell[] {
  const { kind } = run.outcome;
  return nameCells(run, { text: kind, tone: outcomeTone(kind) });
}

export function endedSpent(run: EndedRun): Cell[] {
  return spentCells(runtimeOfEnded(run), run.result.turns, run.usage.totalTokens, run.costUsd);
}
