import type { TurnResult } from '../runner.ts';
import type { ResultMessage } from './protocol.ts';

const MAX_MESSAGE = 500;

/** Names of API errors: only time or money lifts these. */
const USED_UP = new Set(['rate_limit', 'billing_error']);
/** A person has to sign in, or to be let in. */
const UNAUTHORIZED = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
]);

export interface ResultFacts {
  /** The kind of the last API error Claude named, such as `rate_limit`. */
  readonly apiError: string | null;
  /** When the limit that is used up is lifted, in milliseconds since the epoch. */
  readonly resetAt: number | null;
}

/** How a turn counts. A `success` that is an error is a failure. */
export function turnResultOf(result: ResultMessage, facts: ResultFacts): TurnResult {
  if (result.subtype === 'success' && !result.is_error) return { kind: 'completed' };
  const message = textOf(result);
  if (result.subtype === 'error_max_budget_usd' || result.terminal_reason === 'budget_exhausted') {
    const question =
      'Claude has spent claude.max_budget_usd. Raise it in WORKFLOW.md and answer, or take the issue over.';
    return { kind: 'input_required', method: 'claude/max_budget_usd', question };
  }
  if (result.terminal_reason?.startsWith('aborted') === true) return { kind: 'interrupted' };
  const status = result.api_error_status ?? null;
  if (status === 429 || USED_UP.has(facts.apiError ?? ''))
    return { kind: 'quota', message, resetAt: facts.resetAt };
  return { kind: 'failed', code: codeOf(result, status, facts.apiError), message };
}

function codeOf(
  { terminal_reason: reason }: ResultMessage,
  status: number | null,
  error: string | null,
): string {
  if (status === 401 || status === 403 || UNAUTHORIZED.has(error ?? '')) return 'agent_unauthorized';
  if (status === 503 || status === 529 || error === 'overloaded') return 'agent_overloaded';
  return reason === 'prompt_too_long' ? 'context_overflow' : 'turn_failed';
}

function textOf({ subtype, result, errors = [] }: ResultMessage): string {
  if (subtype === 'error_max_turns') return 'Claude reached claude.max_turns before it was done';
  const said = (result ?? errors.join('; ')).trim();
  return said === '' ? `Claude reported ${subtype} without a reason` : said.slice(0, MAX_MESSAGE);
}
