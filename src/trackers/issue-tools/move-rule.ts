import { includesState, sameState } from '../../domain/state-name.ts';
import { ToolRefusal } from '../../tools/tool-kit.ts';

export interface MoveRule {
  readonly active: readonly string[];
  readonly terminal: readonly string[];
  /** Where an agent may hand its issue over. */
  readonly inactive: readonly string[];
  /** Whether an agent may move its issue into a terminal state. */
  readonly allowTerminal: boolean;
}

export interface PresentState {
  readonly state: string;
  /** True when the tracker holds the issue for finished, whatever its state is called. */
  readonly closed?: boolean;
}

/** The known state that an agent wants for its issue. Throws a ToolRefusal unless the agent may move it there. */
export function chooseState(
  rule: MoveRule,
  wanted: string,
  present: PresentState,
  known: readonly string[],
): string {
  const target = known.find((state) => sameState(state, wanted));
  if (target === undefined) {
    throw new ToolRefusal(
      'unknown_state',
      `There is no state ${JSON.stringify(wanted)}. States: ${known.join(', ')}.`,
    );
  }
  assertMayMove(rule, present, target);
  return target;
}

/** What took the issue out of work (usually a person) is never undone by an agent. */
export function assertMayMove(rule: MoveRule, present: PresentState, target: string): void {
  if (!rule.allowTerminal && includesState(rule.terminal, target)) {
    const instead =
      rule.inactive.length > 0
        ? `Hand over: ${rule.inactive.join(', ')}.`
        : 'Leave it where it is, and say in a comment that it is ready.';
    throw new ToolRefusal('terminal_not_allowed', `Only a person may move an issue to ${target}. ${instead}`);
  }
  if (sameState(present.state, target)) return;
  assertUnfinished(rule, present);
  if (!includesState(rule.active, present.state) && includesState(rule.active, target)) {
    throw new ToolRefusal(
      'issue_on_hold',
      `The issue was moved to ${present.state}; only a person can take it back to work.`,
    );
  }
}

/** Throws unless an agent may still change the issue. */
export function assertUnfinished({ terminal }: MoveRule, { state, closed = false }: PresentState): void {
  if (!closed && !includesState(terminal, state)) return;
  throw new ToolRefusal('issue_closed', `The issue is already ${state}, which is final. Stop working on it.`);
}
