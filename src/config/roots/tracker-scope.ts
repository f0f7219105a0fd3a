import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { normaliseState } from '../../domain/state-name.ts';
import type { TrackerConfig } from '../config.ts';

/** The issues that a workflow works on: whose tracker they are in, and which of them. */
export interface ScopeUse {
  readonly kind: string;
  /** The same for all ways to write the same project, repository or folder. */
  readonly place: string;
  readonly activeStates: readonly string[];
  readonly requiredLabels: readonly string[];
  readonly assignee: string | null;
  readonly teamKey: string | null;
  /** Whether an issue has one assignee at most, so that two names never mean the same issue; an older note does not say. */
  readonly hasOneAssignee?: boolean | undefined;
}

export async function scopeUseOf(tracker: TrackerConfig): Promise<ScopeUse> {
  const { kind, endpoint, place, isFolder, hasOneAssignee } = tracker;
  const address = endpoint === null ? null : sameAddress(endpoint);
  const real = place !== null && isFolder ? await realFolder(place) : (place?.toLowerCase() ?? null);
  return {
    kind,
    place: [kind, address, real].filter((part) => part !== null).join(' '),
    activeStates: tracker.activeStates.map(normaliseState).sort(),
    requiredLabels: [...tracker.requiredLabels].sort(),
    assignee: tracker.assignee,
    teamKey: tracker.part,
    hasOneAssignee,
  };
}

/**
 * Whether two workflows on the same project never start the same issue. Other states do it (a maker and its reviewer), another
 * team, another assignee where there is one only, or a label of its own on either side, which people keep apart.
 */
export function areApart(a: ScopeUse, b: ScopeUse): boolean {
  if (a.place !== b.place) return true;
  if (!a.activeStates.some((state) => b.activeStates.includes(state))) return true;
  if (areOthers(a.teamKey, b.teamKey)) return true;
  if (
    (a.hasOneAssignee === true || b.hasOneAssignee === true) &&
    a.assignee !== 'me' &&
    b.assignee !== 'me' &&
    areOthers(a.assignee, b.assignee)
  )
    return true;
  return hasOwnLabel(a, b) && hasOwnLabel(b, a);
}

function areOthers(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a.toLowerCase() !== b.toLowerCase();
}

function hasOwnLabel(of: ScopeUse, than: ScopeUse): boolean {
  return of.requiredLabels.some((label) => !than.requiredLabels.includes(label));
}

function sameAddress(endpoint: string): string {
  const address = URL.canParse(endpoint) ? new URL(endpoint).href : endpoint;
  return address.replace(/\/+$/, '');
}

/** Without symbolic links, also where the last parts do not exist yet. */
async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realFolder(parent), basename(path));
  }
}
