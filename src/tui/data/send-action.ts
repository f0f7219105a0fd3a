import { createClient } from '../../contract/client.ts';
import type { ActionRequest } from '../screen/ui.ts';
import type { Place } from './place.ts';

/** The worker answers a push when the remote has. */
const PUSH_PATIENCE_MS = 11 * 60_000;
const PATIENCE_MS = 15_000;

/** Has the worker do something, and gives what it says about it. */
export async function sendAction(place: Place, { action, body }: ActionRequest, by: string): Promise<string> {
  const signal = AbortSignal.timeout(action === 'push' ? PUSH_PATIENCE_MS : PATIENCE_MS);
  const answer = await createClient({ ...place }).act(action, { ...body, by } as never, { signal });
  const about = answer.issue_identifier === null ? '' : `${answer.issue_identifier}: `;
  return `${about}${answer.message}${answer.changed ? '' : ' (nothing had to change)'}`;
}

/** What went wrong and what to do about it, in a line. */
export function messageOf(error: unknown): string {
  const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
  const message = error instanceof Error ? error.message : String(error);
  return hint === '' || message.includes(hint)
    ? message
    : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${hint}`;
}
