import '../../styles/diff.css';
import { useMemo, useRef, useState } from 'react';
import type { RunDiff } from '../../../../src/contract/runs.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type RowsHandle, VirtualRows } from '../virtual-rows.tsx';
import { CommitList } from './commit-list.tsx';
import { type DiffRow, deriveRows, foldedFiles } from './derive-rows.ts';
import { DiffLineRow } from './diff-line.tsx';
import { FileTree } from './file-tree.tsx';
import { parsePatch } from './parse-patch.ts';
import { useDiff } from './use-diff.ts';

interface DiffPageProps {
  readonly run: string;
  readonly live: boolean;
  readonly pullRequestUrl: string | null;
}

/** What the run's workspace holds against the base branch. */
export function DiffPage({ run, live, pullRequestUrl }: DiffPageProps) {
  const { diff, problem, reading, readAgain } = useDiff(run);
  if (diff === null) {
    return problem === null ? (
      <Skeleton />
    ) : (
      <div className="empty">
        <p>
          <bdi>{problem}</bdi>
        </p>
        {pullRequestUrl !== null && (
          <p>
            <a href={pullRequestUrl} target="_blank" rel="noopener noreferrer">
              Look at the pull request
            </a>
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <div className="toolbar">
        <p className="toolbar-note">{describe(diff)}</p>
        <button type="button" className="button" onClick={readAgain} disabled={reading}>
          {reading ? 'Reading…' : live ? 'Read again (the agent goes on)' : 'Read again'}
        </button>
      </div>
      <Changes diff={diff} />
    </>
  );
}

function Changes({ diff }: { diff: RunDiff }) {
  const files = useMemo(() => parsePatch(diff.patch), [diff.patch]);
  const foldedAtFirst = useMemo(() => foldedFiles(files), [files]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const folded = useMemo(() => applyToggles(foldedAtFirst, toggled), [foldedAtFirst, toggled]);
  const rows = useMemo(() => deriveRows(files, folded), [files, folded]);
  const list = useRef<RowsHandle>(null);
  const toggle = (path: string): void =>
    setToggled((before) =>
      before.has(path) ? new Set([...before].filter((other) => other !== path)) : new Set([...before, path]),
    );
  const show = (path: string): void =>
    list.current?.scrollTo(
      rows.findIndex((row) => row.kind === 'file' && row.key === path),
      'start',
    );
  return (
    <div className="diff">
      <div className="diff-side">
        <FileTree files={files} onChoose={show} />
        <Untracked names={diff.untracked} />
        <CommitList commits={diff.commits} />
      </div>
      <div className="diff-main">
        {folded.size > 0 && (
          <p className="diff-folded" role="status">
            {folded.size} of {files.length} files are folded; their names say why, and a press opens them.
          </p>
        )}
        <VirtualRows
          rows={rows}
          label="Changes"
          className="diff-rows"
          rowHeight={22}
          keyOf={(row) => row.key}
          handle={list}
        >
          {(row) => <Row row={row} onToggle={toggle} />}
        </VirtualRows>
      </div>
    </div>
  );
}

function Row({ row, onToggle }: { row: DiffRow; onToggle(path: string): void }) {
  switch (row.kind) {
    case 'file':
      return (
        <h3 className="diff-file">
          <button
            type="button"
            className="diff-file-name"
            aria-expanded={row.folded === null}
            onClick={() => onToggle(row.file.path)}
          >
            <bdi>{row.file.path}</bdi>
            <span className="tree-count">
              {row.file.status !== 'changed' && <span className="badge">{row.file.status}</span>}{' '}
              <span className="count-added">+{row.file.added}</span>{' '}
              <span className="count-removed">−{row.file.removed}</span>
            </span>
          </button>
          {row.folded !== null && <p className="diff-folded">{row.folded}</p>}
        </h3>
      );
    case 'hunk':
      return <p className="diff-hunk">⋯ {row.heading}</p>;
    case 'note':
      return <p className="diff-hunk">{row.text}</p>;
    case 'line':
      return <DiffLineRow row={row} />;
  }
}

function Untracked({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section aria-labelledby="untracked-title">
      <h3 id="untracked-title" className="section-heading">
        Not added to git
      </h3>
      <ul className="untracked">
        {names.slice(0, 200).map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function applyToggles(
  folded: ReadonlyMap<string, string>,
  toggled: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const now = new Map(folded);
  for (const path of toggled) if (!now.delete(path)) now.set(path, 'folded by you');
  return now;
}

function describe({ files, untracked, truncated, base }: RunDiff): string {
  if (base === null) return 'The workspace is no git repository: there is nothing to compare with.';
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'} changed, +${added.toLocaleString('en-US')} −${removed.toLocaleString('en-US')}`;
  if (files.length === 0 && untracked.length === 0) return `No change against the base ${base.slice(0, 12)}.`;
  return `${count} against ${base.slice(0, 12)}${truncated ? '. The rest is cut: look at the branch.' : ''}`;
}
