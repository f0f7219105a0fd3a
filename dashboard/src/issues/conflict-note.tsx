import type { TrackerIssue } from '../../../src/contract/tracker-issues.ts';
import { clashes, type Draft, draftOf } from './issue-draft.ts';

interface ConflictNoteProps {
  /** What the changes were made on. */
  readonly base: TrackerIssue;
  readonly draft: Draft;
  /** What is there now. */
  readonly current: TrackerIssue;
  onTake(keepMine: boolean): void;
}

/** Shows what somebody else wrote, and lets the person decide what goes on. */
export function ConflictNote({ base, draft, current, onTake }: ConflictNoteProps) {
  const [was, is] = [draftOf(base), draftOf(current)];
  const changed = (Object.keys(is) as (keyof Draft)[]).filter((name) => is[name] !== was[name]);
  const both = clashes(base, draft, current);
  return (
    <div className="banner" role="alert">
      <p className="banner-title">
        Somebody else changed this issue while you wrote. Nothing was overwritten.
      </p>
      <p>
        {changed.length === 0 ? 'Now it is written in another way, with the same fields.' : 'Now it says:'}
      </p>
      <dl className="conflict">
        {changed.map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{is[name] === '' ? 'nothing' : is[name]}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {both.length > 0 && (
        <p>You changed {both.join(' and ')} too: keeping yours replaces theirs when you save.</p>
      )}
      <button type="button" className="button" onClick={() => onTake(true)}>
        Keep my changes
      </button>{' '}
      <button type="button" className="button" onClick={() => onTake(false)}>
        Take what is there
      </button>
    </div>
  );
}
