import { useEffect, useState } from 'react';
import { ApiError } from '../../../src/contract/client.ts';
import type { TrackerBoard, TrackerIssue } from '../../../src/contract/tracker-issues.ts';
import { client } from '../access/browser-access.ts';
import { changesOf, type Draft, draftOf, newDraft, newIssueBody, rebase } from './issue-draft.ts';
import { describe } from './use-issues.ts';

/** What a form holds, against what was read; `id` is null for a new issue. */
export function useIssueForm(id: string | null, states: TrackerBoard['states'], onSaved: () => void) {
  const empty = newDraft(states.find(({ kind }) => kind === 'active')?.name ?? states[0]?.name ?? '');
  const [base, setBase] = useState<TrackerIssue | null>(null);
  const [draft, setDraft] = useState<Draft>(empty);
  const [conflict, setConflict] = useState<TrackerIssue | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  useEffect(() => {
    if (id === null) return;
    const gone = new AbortController();
    client.trackerIssue(id, gone.signal).then(
      (issue) => {
        setBase(issue);
        setDraft(draftOf(issue));
      },
      (error: unknown) => {
        if (!gone.signal.aborted) setProblem(describe(error));
      },
    );
    return () => gone.abort();
  }, [id]);
  const save = (): void => {
    setSaving(true);
    setProblem(null);
    const sent =
      base === null
        ? client.createIssue(newIssueBody(draft))
        : client.changeIssue(base.id, { version: base.version ?? '', ...changesOf(base, draft) });
    sent
      .then(onSaved, (error: unknown) => {
        setProblem(describe(error));
        if (error instanceof ApiError) setConflict(error.current);
      })
      .finally(() => setSaving(false));
  };
  /** After a conflict: goes on from what is there now, with or without one's own changes. */
  const settle = (keepMine: boolean): void => {
    if (base === null || conflict === null) return;
    setDraft(keepMine ? rebase(base, draft, conflict) : draftOf(conflict));
    setBase(conflict);
    setConflict(null);
    setProblem(null);
  };
  const was = base === null ? empty : draftOf(base);
  const isChanged = (Object.keys(was) as (keyof Draft)[]).some((name) => was[name] !== draft[name]);
  const isReady = id === null || base !== null;
  return { base, draft, setDraft, conflict, problem, isSaving, isReady, isChanged, save, settle };
}
