import '../styles/issues.css';
import { useMemo } from 'react';
import { formatPlural } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { useRight } from '../access/use-access.ts';
import { useKeys } from '../keyboard/use-keys.ts';
import { HOW_TO_ACT } from '../parts/action-button.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type Query, writeQuery } from '../place/place.ts';
import { choose } from '../place/use-place.ts';
import { deriveColumns } from './derive-columns.ts';
import { IssueColumns } from './issue-columns.tsx';
import { IssueDialog } from './issue-dialog.tsx';
import { type Issues, useIssues } from './use-issues.ts';

/** The issues of a tracker that has no page of its own. */
export function IssuesPage({ query, snapshot }: { query: Query; snapshot: StateSnapshot }) {
  if (snapshot.tracker.editable !== true) return <ElsewhereNote kind={snapshot.tracker.kind} />;
  return <EditableIssues query={query} seen={snapshot.last_poll?.at ?? ''} />;
}

function ElsewhereNote({ kind }: { kind: string }) {
  return (
    <section className="nothing" aria-labelledby="elsewhere-title">
      <h2 id="elsewhere-title">These issues are written elsewhere</h2>
      <p>The tracker of this worker is {kind}, which has a page of its own.</p>
    </section>
  );
}

const KEYS = { n: () => choose({ new: '1' }) };

function EditableIssues({ query, seen }: { query: Query; seen: string }) {
  const issues = useIssues(seen);
  const mayAct = useRight() === 'act';
  const { q = '', issue = '', new: isNew = '' } = query;
  const { board, moves, problem, told } = issues;
  useKeys(KEYS);
  const columns = useMemo(() => (board === null ? [] : deriveColumns(board, q, moves)), [board, q, moves]);
  if (board === null) return problem === null ? <Skeleton /> : <p className="empty">{problem}</p>;
  const close = (): void => choose({ issue: '', new: '' });
  return (
    <section className="issues" aria-labelledby="issues-title">
      <h2 id="issues-title">Issues</h2>
      <div className="toolbar">
        <input
          type="search"
          className="field"
          placeholder="Search the issues"
          aria-label="Search the issues"
          value={q}
          data-search
          onChange={(event) => choose({ q: event.target.value })}
        />
        <button
          type="button"
          className="button button-main"
          disabled={!mayAct}
          title={mayAct ? 'Write a new issue (n)' : HOW_TO_ACT}
          onClick={KEYS.n}
        >
          New issue
        </button>
      </div>
      <p className={told?.failed ? 'action-note issues-told' : 'muted issues-told'} role="status">
        {told?.text ?? 'Open a card to edit or move it; or drag it, or press Shift with an arrow key on it.'}
      </p>
      {problem !== null && <p className="action-note">{problem}</p>}
      <IssueColumns
        columns={columns}
        mayMove={mayAct}
        addressOf={(id) => `/issues${writeQuery({ ...query, issue: id })}`}
        onMove={issues.move}
      />
      <LeftOut board={board} />
      {(issue !== '' || isNew !== '') && (
        <IssueDialog
          key={issue}
          id={issue === '' ? null : issue}
          states={board.states}
          mayWrite={mayAct}
          onClose={close}
          onSaved={issues.reload}
        />
      )}
    </section>
  );
}

function LeftOut({ board }: { board: NonNullable<Issues['board']> }) {
  return (
    <>
      {board.left_out > 0 && <p className="more">and {formatPlural(board.left_out, 'more issue')}</p>}
      {board.broken.length > 0 && (
        <section className="section" aria-labelledby="broken-title">
          <h2 id="broken-title">Files that are no issues</h2>
          <ul className="issues-broken">
            {board.broken.map(({ name, problem }) => (
              <li key={name}>
                <bdi>
                  <code>{name}</code>
                </bdi>
                : {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
