import { AppError } from '../../errors/app-error.ts';
import type { OperatorAction } from '../../scheduler/core/events.ts';
import type { Claim } from '../../scheduler/core/state.ts';

/** What an action comes to: the order for the scheduler, or null when everything is already as asked. */
export interface Decision {
  readonly order: OperatorAction | null;
  readonly message: string;
}

/** The issue an action is about. */
export interface Subject {
  readonly id: string;
  readonly identifier: string;
}

export function notApplicable(
  { identifier }: Subject,
  why: string,
  claim: Claim | undefined,
  hint = `Run \`aiops status ${identifier}\` for what it waits for.`,
): AppError {
  const standing = claim === undefined ? 'not claimed' : claim.phase;
  return new AppError('action_not_applicable', `${identifier} ${why} (it is ${standing})`, { hint });
}
