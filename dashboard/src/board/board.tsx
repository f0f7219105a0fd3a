import '../styles/board.css';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { BlockedList } from '../parts/blocked-list.tsx';
import { EndedList } from '../parts/ended-list.tsx';
import { EventList } from '../parts/event-list.tsx';
import { IgnoredList } from '../parts/ignored-list.tsx';
import { Overview } from '../parts/overview.tsx';
import { RetryList } from '../parts/retry-list.tsx';
import { RunningList } from '../parts/running-list.tsx';
import { WaitingList } from '../parts/waiting-list.tsx';
import type { Query } from '../place/place.ts';
import { deriveBlocked } from '../view/derive-blocked.ts';
import type { ConnectionView } from '../view/derive-connection.ts';
import { deriveEnded } from '../view/derive-ended.ts';
import { deriveEvents } from '../view/derive-events.ts';
import { deriveFacts, deriveKpis } from '../view/derive-overview.ts';
import { deriveIgnored, deriveQueue, deriveRetrying, deriveWaiting } from '../view/derive-queue.ts';
import { deriveRunning } from '../view/derive-running.ts';
import { BoardToolbar } from './board-toolbar.tsx';
import { deriveMeters } from './derive-meters.ts';
import { filterState, sortState } from './filter-state.ts';
import { FirstRun } from './first-run.tsx';
import { Meters } from './meters.tsx';

interface BoardProps {
  readonly snapshot: StateSnapshot;
  readonly connection: ConnectionView;
  readonly query: Query;
}

const KEYS = { j: () => focusRow(1), k: () => focusRow(-1) };

/** The worker's state: on the left what happens and what is due, on the right what has happened. */
export function Board({ snapshot, connection, query }: BoardProps) {
  useKeys(KEYS);
  const now = connection.workerNow;
  const { q = '', sort = '', density = '' } = query;
  const compact = density === 'compact';
  const shown = sortState(filterState(snapshot, q), sort);
  return (
    <div className={compact ? 'board board-compact' : 'board'}>
      <Overview kpis={deriveKpis(snapshot, now)} facts={deriveFacts(snapshot, now)} />
      <Meters meters={deriveMeters(snapshot, now)} />
      {isFirstRun(snapshot) && <FirstRun snapshot={snapshot} />}
      <BoardToolbar search={q} sort={sort} compact={compact} />
      <div className="columns">
        <div className="column">
          <RunningList rows={deriveRunning(shown, now)} pollIntervalMs={snapshot.poll_interval_ms} />
          <BlockedList rows={deriveBlocked(shown, now)} />
          <RetryList rows={deriveRetrying(shown, now)} />
          <WaitingList rows={deriveWaiting(shown)} queue={deriveQueue(snapshot)} />
          <IgnoredList rows={deriveIgnored(snapshot)} />
        </div>
        <div className="column">
          {shown.in_review !== undefined && (
            <EndedList
              id="review"
              title="In review"
              empty="Nothing that was delivered waits for a person."
              rows={deriveEnded(shown.in_review, now)}
            />
          )}
          <EndedList
            id="finished"
            title="Finished runs"
            empty="No run has ended yet."
            rows={deriveEnded(shown.ended, now)}
          />
          <EventList rows={deriveEvents(shown)} />
        </div>
      </div>
    </div>
  );
}

/** Nothing runs, waits or ended: whoever looks has just begun. */
function isFirstRun({ counts, ended }: StateSnapshot): boolean {
  return ended.length === 0 && counts.running + counts.blocked + counts.retrying + counts.waiting === 0;
}

/** The link of the next or the previous row. */
function focusRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next =
    at < 0 ? (step > 0 ? rows[0] : rows.at(-1)) : rows[Math.min(rows.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
