import type { AgentEvent } from './agent-event.ts';

export type RunId = string;

/** The phases of one run attempt (SPEC §7.2), up to its end; the end itself is a RunResult. */
export type RunPhase =
  | 'PreparingWorkspace'
  | 'BuildingPrompt'
  | 'LaunchingAgentProcess'
  | 'InitializingSession'
  | 'StreamingTurn'
  | 'Finishing';

/** What only says how far something is: shown while it happens, and not worth keeping. */
export function isProgress(event: RunEvent): boolean {
  return event.type === 'phase' && event.detail !== null && /\d%$/.test(event.detail);
}

/** What a run reports, in order; only a push that an operator asks for comes after its end. */
export type RunEvent =
  | { readonly type: 'phase'; readonly phase: RunPhase; readonly detail: string | null }
  | {
      readonly type: 'workspace';
      readonly path: string;
      readonly branch: string | null;
      readonly createdNow: boolean;
    }
  | PushFailed
  /** What the agent is told at the beginning of a turn. */
  | { readonly type: 'prompt'; readonly turn: number; readonly text: string }
  | HookEnded
  | { readonly type: 'agent'; readonly event: AgentEvent };

/** A command of a hook has ended. */
export interface HookEnded {
  readonly type: 'hook';
  /** As a workflow names it: `after_create`, `before_run`, `after_run`. */
  readonly hook: string;
  readonly command: string;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Without secrets, cut to its end. */
  readonly output: string;
  /** What went wrong; null when it succeeded. */
  readonly problem: string | null;
}

/** A push through the worker that the worker or the remote refused, or that went wrong, with the remote's own words. */
export interface PushFailed {
  readonly type: 'push_failed';
  readonly code: string;
  readonly message: string;
  readonly remoteLines: readonly string[];
}

const MAX_REMOTE_LINES = 40;
const MAX_REMOTE_LINE_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 1000;

/** The end of what the remote said is what matters. */
export function pushFailed({ code, message, remoteLines }: Omit<PushFailed, 'type'>): PushFailed {
  return {
    type: 'push_failed',
    code,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    remoteLines: remoteLines.slice(-MAX_REMOTE_LINES).map((line) => line.slice(0, MAX_REMOTE_LINE_LENGTH)),
  };
}

/** Why a run is not the first for its issue. */
export type RetryKind = 'continuation' | 'failure' | 'quota_backoff';

/** The scheduler's answer to "turn ended, may I go on?". */
export type TurnDecision =
  /** `state` is where the issue stands now. */
  | { readonly kind: 'continue'; readonly state: string }
  /** The issue was handed over in `state`: say what the workspace holds, and ask again with it. */
  | { readonly kind: 'inspect'; readonly state: string }
  /** Handed over, but nobody else can see the work: one more turn, to push it. */
  | { readonly kind: 'push_first'; readonly state: string }
  /** `left_active`: the issue is no longer active; `turn_limit`: the run used its turns; `budget`: the issue did. */
  | {
      readonly kind: 'finish';
      readonly why: 'left_active' | 'unroutable' | 'missing' | 'turn_limit' | 'budget';
    };
