import { askState, type Clock, type Place } from './data/place.ts';
import { wholeBoard } from './screen/screen.ts';
import { paintLine } from './text/paint.ts';
import type { View } from './view.ts';

const PATIENCE_MS = 15_000;

/** One board as text, every row of it. Rejects when the worker does not answer. */
export async function printedBoard(
  place: Place,
  clock: Clock,
  columns: number,
  color: boolean,
): Promise<string> {
  const { state, foreign } = await askState(place, clock, PATIENCE_MS);
  const now = clock.now();
  const view: View = {
    connection: { kind: 'polling', problem: null, since: now },
    known: { state, receivedAt: now, takesActions: !foreign },
    pageUrl: place.pageUrl,
    tokensPerSecond: null,
    log: [],
    notice: null,
  };
  return `${wholeBoard(view, state, columns, now)
    .map((line) => paintLine(line, columns, color).trimEnd())
    .join('\n')}\n`;
}
