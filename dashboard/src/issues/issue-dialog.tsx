import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { TrackerBoard } from '../../../src/contract/tracker-issues.ts';
import { HOW_TO_ACT } from '../parts/action-button.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { IssueFields } from './issue-fields.tsx';
import { useIssueForm } from './use-issue-form.ts';

interface IssueDialogProps {
  /** Null for a new issue. */
  readonly id: string | null;
  readonly states: TrackerBoard['states'];
  readonly mayWrite: boolean;
  onClose(): void;
  onSaved(): void;
}

const HIDDEN_SECRET = 'Its text holds a secret that is not shown: edit the file itself.';

/** Writes an issue, new or old. What somebody else wrote meanwhile is shown, never overwritten. */
export function IssueDialog({ id, states, mayWrite, onClose, onSaved }: IssueDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useIssueForm(id, states, () => {
    onSaved();
    // The browser gives the focus back to where it was.
    dialog.current?.close();
  });
  const [warned, setWarned] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const leave = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (form.isChanged && !warned) setWarned(true);
    else dialog.current?.close();
  };
  const readOnly = !mayWrite || (form.base !== null && form.base.version === null);
  return (
    <dialog
      ref={dialog}
      className="dialog issue-dialog"
      aria-labelledby="issue-title"
      onCancel={leave}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          form.save();
        }}
      >
        <h2 id="issue-title">{id === null ? 'New issue' : (form.base?.identifier ?? id)}</h2>
        {form.base?.version === null && <p className="muted">{HIDDEN_SECRET}</p>}
        {form.conflict !== null && form.base !== null && (
          <ConflictNote base={form.base} draft={form.draft} current={form.conflict} onTake={form.settle} />
        )}
        {form.isReady && (
          <IssueFields draft={form.draft} states={states} readOnly={readOnly} onChange={form.setDraft} />
        )}
        <Note text={form.problem} />
        <Note
          text={warned && form.isChanged ? 'Your changes are not saved. Close once more to drop them.' : null}
        />
        <div className="actions">
          <button
            type="submit"
            className="button button-main"
            title={mayWrite ? undefined : HOW_TO_ACT}
            disabled={readOnly || !form.isReady || form.isSaving || form.conflict !== null}
          >
            {form.isSaving ? 'Saving…' : id === null ? 'Create' : 'Save'}
          </button>
          <button type="button" className="button" onClick={leave}>
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Note({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="action-note" role="alert">
      {text}
    </p>
  );
}
