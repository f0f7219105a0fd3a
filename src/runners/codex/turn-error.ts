import type { TurnResult } from '../runner.ts';
import type { CodexErrorInfo } from './generated/protocol.d.ts';
import type { TurnError } from './protocol.ts';

const MAX_MESSAGE = 500;

/** Errors that are told apart from others, in the words of the protocol. */
type Known = Extract<CodexErrorInfo, string>;
const QUOTA: readonly string[] = ['usageLimitExceeded', 'rateLimitExceeded'] satisfies Known[];
const OVERLOAD: readonly string[] = [
  'serverOverloaded',
  'flexUnavailable',
  'policyCapacityUnavailable',
] satisfies Known[];
const OVERFLOW: Known = 'contextWindowExceeded';
const UNAUTHORIZED: Known = 'unauthorized';

type HttpError = Extract<CodexErrorInfo, object>['httpConnectionFailed'];

/** How a failed turn counts, by the error the server names; only where it names none, by the HTTP status. */
export function resultOfError(error: TurnError | null | undefined): TurnResult {
  const { name, status } = identify(error?.codexErrorInfo);
  const message = textOf(error, name);
  if (QUOTA.includes(name) || status === 429) return { kind: 'quota', message, resetAt: null };
  return { kind: 'failed', code: codeOf(name, status), message };
}

/** True when the conversation itself is the problem: going on with it would fail the same way. */
export function isContextOverflow(error: TurnError | null | undefined): boolean {
  return identify(error?.codexErrorInfo).name === OVERFLOW;
}

function codeOf(name: string, status: number | null): string {
  if (name === UNAUTHORIZED || status === 401 || status === 403) return 'agent_unauthorized';
  if (OVERLOAD.includes(name) || status === 503 || status === 529) return 'agent_overloaded';
  return name === OVERFLOW ? 'context_overflow' : 'turn_failed';
}

/** The info is a name, or an object whose only key is the name and which may hold an HTTP status. */
function identify(info: TurnError['codexErrorInfo']): { name: string; status: number | null } {
  if (typeof info === 'string') return { name: info, status: null };
  const [name = '', details] = Object.entries(info ?? {})[0] ?? [];
  const status =
    typeof details === 'object' && details !== null ? (details as HttpError).httpStatusCode : null;
  return { name, status: typeof status === 'number' ? status : null };
}

function textOf(error: TurnError | null | undefined, name: string): string {
  const parts = [error?.message, error?.additionalDetails].filter(
    (part) => part !== undefined && part !== null,
  );
  const text = parts.join(': ').trim().slice(0, MAX_MESSAGE);
  const said = text === '' ? 'Codex reported a failed turn without a reason' : text;
  return name === '' || name === 'other' ? said : `${said} (${name})`;
}
