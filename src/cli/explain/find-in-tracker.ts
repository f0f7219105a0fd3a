import type { Config } from '../../config/config.ts';
import type { Issue, IssueId } from '../../domain/issue.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Tracker } from '../../trackers/tracker.ts';

const PATIENCE_MS = 45_000;

/** The issue as the tracker has it now, by its id where that is known, else by its name; null when there is none. */
export async function findInTracker(
  tracker: Tracker,
  { activeStates, inactiveStates }: Config['tracker'],
  known: IssueId | null,
  name: string,
): Promise<Issue | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (known !== null) return byId(tracker, known, signal);
  const wanted = name.toLowerCase();
  const isMeant = ({ id, identifier }: Pick<Issue, 'id' | 'identifier'>): boolean =>
    identifier.toLowerCase() === wanted || id.toLowerCase() === wanted;
  const listed = await tracker.fetchIssuesByStates([...activeStates, ...inactiveStates], signal);
  const found = listed.find(isMeant);
  if (found !== undefined) return found;
  const other = (await tracker.survey?.read(signal))?.others.find(isMeant);
  return byId(tracker, other?.id ?? name, signal).catch((error: unknown) => {
    // A name that is no id of this tracker is no issue of it.
    if (error instanceof AppError && other === undefined) return null;
    throw error;
  });
}

async function byId(tracker: Tracker, id: IssueId, signal: AbortSignal): Promise<Issue | null> {
  const outcome = (await tracker.fetchIssuesByIds([id], signal)).get(id);
  return outcome?.kind === 'current' ? outcome.issue : null;
}
