import type { Issue } from '../../../domain/issue.ts';
import { includesState, sameState } from '../../../domain/state-name.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import type { ChooseState, Move } from '../../issue-tools/own-issue.ts';
import { numberOf } from '../reading/normalize.ts';
import type { ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import type { ForgeActions } from './actions.ts';

export interface MoveOptions {
  readonly actions: ForgeActions;
  readonly states: LabelStates;
}

/**
 * Moves the run's own issue. The new label is added before the others go, so that the issue is in some state at every
 * moment; a state label that a person set meanwhile wins, and ours is taken back.
 */
export async function moveIssue(
  options: MoveOptions,
  issue: Issue,
  choose: ChooseState,
  signal: AbortSignal,
  close = false,
): Promise<Move> {
  const { actions, states } = options;
  const number = ownNumber(issue);
  const before = await readOwn(actions, issue, signal);
  const from = states.read(before).state ?? 'open';
  const target = choose({ state: from, closed: before.closed }, states.known());
  const carried = before.labels.filter((label) => states.isStateLabel(label));
  const label = states.labelOf(target);
  const isThere = sameState(from, target) && carried.length <= 1;
  if (!isThere) {
    if (label !== null) await addLabel(options, number, label, carried, target, signal);
    for (const other of carried) {
      if (label === null || !sameState(other, label)) await actions.removeLabel(number, other, signal);
    }
  }
  const closes = !before.closed && (close || (label === null && sameState(target, states.closedState)));
  if (closes) await closeOrRestore(actions, number, label, carried, signal);
  return { from, to: target };
}

async function addLabel(
  { actions, states }: MoveOptions,
  number: number,
  label: string,
  carried: readonly string[],
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const now = await actions.addLabel(number, label, signal);
  const fresh = now.filter((name) => states.isStateLabel(name) && !includesState([...carried, label], name));
  if (!includesState(now, label))
    throw new ToolRefusal('not_confirmed', `The forge did not confirm the label ${label}.`);
  if (fresh.length === 0) return;
  if (!includesState(carried, label)) await actions.removeLabel(number, label, signal);
  throw new ToolRefusal(
    'issue_changed',
    `Somebody set ${fresh.join(', ')} while the issue was being moved to ${target}. Read it again.`,
  );
}

async function closeOrRestore(
  actions: ForgeActions,
  number: number,
  label: string | null,
  carried: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await actions.close(number, signal);
  } catch (error) {
    for (const other of carried) await actions.addLabel(number, other, signal).catch(() => []);
    if (label !== null && !includesState(carried, label))
      await actions.removeLabel(number, label, signal).catch(() => {});
    throw error;
  }
}

export async function readOwn(
  actions: ForgeActions,
  issue: Issue,
  signal: AbortSignal,
): Promise<ForgeRecord> {
  const record = await actions.read(ownNumber(issue), signal);
  if (record === null)
    throw new ToolRefusal('issue_not_found', `${issue.identifier} is no longer in the repository.`);
  return record;
}

export function ownNumber(issue: Issue): number {
  const number = numberOf(issue.id);
  if (number === null)
    throw new ToolRefusal('issue_not_found', `${issue.identifier} is not an issue of this repository.`);
  return number;
}
