import type { StateSnapshot } from '../../src/contract/state.ts';
import { sectionsOf } from '../../src/tui/board/rows.ts';
import { type ScreenInput, screenLines } from '../../src/tui/screen/screen.ts';
import { FIRST_UI, type Ui } from '../../src/tui/screen/ui.ts';
import { plainText } from '../../src/tui/text/paint.ts';
import type { View } from '../../src/tui/view.ts';

export const NOW = Date.parse('2026-07-01T09:30:00.000Z');

export function viewOf(state: StateSnapshot | null, over: Partial<View> = {}): View {
  return {
    connection: { kind: state === null ? 'connecting' : 'live', problem: null, since: NOW },
    known: state === null ? null : { state, receivedAt: NOW, takesActions: true },
    pageUrl: 'http://127.0.0.1:4000/',
    tokensPerSecond: 1842,
    log: [],
    notice: null,
    ...over,
  };
}

/** The screen as texts, without colours. */
export function screenOf(
  state: StateSnapshot | null,
  columns: number,
  rows: number,
  {
    ui = {},
    view = {},
    ...more
  }: { ui?: Partial<Ui>; view?: Partial<View> } & Partial<Pick<ScreenInput, 'issue' | 'now'>> = {},
): readonly string[] {
  const lines = screenLines({
    view: viewOf(state, view),
    ui: { ...FIRST_UI, ...ui },
    sections: state === null ? [] : sectionsOf(state),
    issue: null,
    size: { columns, rows },
    now: NOW,
    quits: 'quit',
    ...more,
  });
  return lines.map(plainText);
}
