import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../../keyboard/use-keys.ts';
import type { Query } from '../../place/place.ts';
import { choose } from '../../place/use-place.ts';
import type { RunData } from '../run-reader.ts';
import { type RowsHandle, VirtualRows } from '../virtual-rows.tsx';
import { deriveTimeline, filterTimeline } from './derive-timeline.ts';
import { TimelineRow } from './timeline-row.tsx';

const TOPICS: readonly (readonly [topic: string, label: string])[] = [
  ['', 'Everything'],
  ['messages', 'Messages'],
  ['commands', 'Commands'],
  ['tools', 'Tools'],
  ['changes', 'Files'],
  ['worker', 'Worker'],
  ['problems', 'Problems'],
];

const ENDS = {
  End: () => window.scrollTo(0, document.body.scrollHeight),
  Home: () => window.scrollTo(0, 0),
};

/** What happened in the run, from its first phase to now. */
export function Timeline({ data, live, query }: { data: RunData; live: boolean; query: Query }) {
  const { topic = '', q = '' } = query;
  const items = useMemo(() => deriveTimeline(data.entries), [data.entries]);
  const shown = useMemo(() => filterTimeline(items, topic, q), [items, topic, q]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useRef<RowsHandle>(null);
  const toggle = (key: number): void =>
    setOpen((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    );
  const toEnd = (): void => rows.current?.scrollTo(shown.length - 1, 'end');
  const [following, setFollowing] = useFollowing(live, shown.length, toEnd);
  useKeys(ENDS);
  return (
    <div className="timeline">
      <Toolbar topic={topic} search={q} note={describeCount(shown.length, items.length, data)}>
        {live && (
          <label className="check">
            <input
              type="checkbox"
              checked={following}
              onChange={(event) => setFollowing(event.target.checked)}
            />{' '}
            Follow
          </label>
        )}
      </Toolbar>
      {shown.length === 0 ? (
        <p className="empty">{describeNothing(items.length, data)}</p>
      ) : (
        <VirtualRows
          rows={shown}
          label="Timeline"
          className="entries"
          rowHeight={44}
          keyOf={(item) => item.key}
          handle={rows}
        >
          {(item) => (
            <TimelineRow item={item} search={q} open={open.has(item.key)} onToggle={() => toggle(item.key)} />
          )}
        </VirtualRows>
      )}
    </div>
  );
}

interface ToolbarProps {
  readonly topic: string;
  readonly search: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Toolbar({ topic, search, note, children }: ToolbarProps) {
  return (
    <div className="toolbar">
      <input
        type="search"
        className="field"
        placeholder="Search the timeline"
        aria-label="Search the timeline"
        value={search}
        data-search
        onChange={(event) => choose({ q: event.target.value })}
      />
      <fieldset className="chips">
        <legend className="visually-hidden">What is shown</legend>
        {TOPICS.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="chip-button"
            aria-pressed={topic === name}
            onClick={() => choose({ topic: name })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <p className="toolbar-note" role="status">
        {note}
      </p>
      {children}
    </div>
  );
}

/** Keeps the end in sight while it grows, until somebody turns it off. */
function useFollowing(
  live: boolean,
  count: number,
  toEnd: () => void,
): [boolean, (following: boolean) => void] {
  const [following, setFollowing] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new row is a reason to look at the end.
  useEffect(() => {
    if (live && following) toEnd();
  }, [count, live, following]);
  return [following, setFollowing];
}

function describeCount(shown: number, all: number, { complete, unreadable }: RunData): string {
  const lost = unreadable === 0 ? '' : `, ${unreadable} lines of the transcript could not be read`;
  const count =
    shown === all
      ? `${all.toLocaleString('en-US')} rows`
      : `${shown.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} rows`;
  return complete ? `${count}${lost}` : `${count}, reading…`;
}

function describeNothing(all: number, { complete, problem }: RunData): string {
  if (all > 0) return 'Nothing in the timeline matches.';
  if (problem !== null) return '';
  return complete ? 'Nothing is kept of this run’s timeline.' : 'Reading the timeline…';
}
