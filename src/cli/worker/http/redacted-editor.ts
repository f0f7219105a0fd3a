import type { TrackerIssue } from '../../../contract/tracker-issues.ts';
import { AppError } from '../../../errors/app-error.ts';
import { redactTexts } from '../../../observability/redact-texts.ts';
import type { IssueEditor } from '../../../trackers/issue-editor.ts';

/** An editor whose answers hold no secret. An issue with one has no version, so that what is left of it is never written back. */
export function redactedEditor(editor: IssueEditor, redact: (text: string) => string): IssueEditor {
  const clean = (issue: TrackerIssue): TrackerIssue => {
    const { version, ...shown } = issue;
    const cleaned = redactTexts(shown, redact);
    return { ...cleaned, version: JSON.stringify(cleaned) === JSON.stringify(shown) ? version : null };
  };
  const guarded = async (result: Promise<TrackerIssue>): Promise<TrackerIssue> => {
    try {
      return clean(await result);
    } catch (error) {
      throw error instanceof AppError ? cleanConflict(error, clean) : error;
    }
  };
  return {
    board: async (signal) => redactTexts(await editor.board(signal), redact),
    read: (id) => guarded(editor.read(id)),
    create: (draft) => guarded(editor.create(draft)),
    change: (id, change) => guarded(editor.change(id, change)),
    move: (id, move) => guarded(editor.move(id, move)),
  };
}

function cleanConflict(error: AppError, clean: (issue: TrackerIssue) => TrackerIssue): AppError {
  const { current } = error.context;
  if (current === undefined) return error;
  return new AppError(error.code, error.message, {
    ...(error.hint === null ? {} : { hint: error.hint }),
    cause: error,
    context: { current: clean(current as TrackerIssue) },
  });
}
