import type { TokenUsage } from './usage.ts';

/** What an activity line is about; for display only, no decision depends on it. */
export type ActivityKind = 'message' | 'command' | 'file_change' | 'plan' | 'reasoning' | 'tool';

/** What is known of a command or a call beyond its line; texts are cut where they are made (`CallFacts` is bounded). */
export interface CallFacts {
  /** The same for the beginning and the end of one call. */
  readonly callId?: string | undefined;
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly failed?: boolean | undefined;
}

/** What the turn used; a run adds it, runners report absolute counters only. */
export interface TurnUsage {
  readonly usage?: TokenUsage | undefined;
  readonly costUsd?: number | undefined;
}

/** What a runner reports while a session lives. The same vocabulary for every runner. */
export type AgentEvent =
  | {
      readonly type: 'session_started';
      /** Resumable id of the agent's conversation. */
      readonly sessionId: string;
      readonly pid: number | null;
      readonly model: string | null;
      readonly resumed: boolean;
    }
  | { readonly type: 'startup_failed'; readonly stage: string; readonly message: string }
  | { readonly type: 'turn_started'; readonly turn: number; readonly turnId: string | null }
  | ({ readonly type: 'turn_completed'; readonly turn: number } & TurnUsage)
  | ({ readonly type: 'turn_failed'; readonly turn: number; readonly message: string } & TurnUsage)
  | ({ readonly type: 'turn_cancelled'; readonly turn: number } & TurnUsage)
  | ({
      readonly type: 'turn_input_required';
      readonly turn: number;
      readonly method: string;
      readonly question: string;
    } & TurnUsage)
  | {
      readonly type: 'activity';
      readonly kind: ActivityKind;
      readonly text: string;
      readonly call?: CallFacts | undefined;
    }
  /** Absolute counters of the session so far. */
  | { readonly type: 'usage'; readonly usage: TokenUsage; readonly costUsd: number | null }
  | { readonly type: 'rate_limits'; readonly rateLimits: Readonly<Record<string, unknown>> }
  | { readonly type: 'model_changed'; readonly model: string }
  | { readonly type: 'approval_auto_approved'; readonly method: string }
  | { readonly type: 'unsupported_tool_call'; readonly tool: string }
  | {
      readonly type: 'tool_call';
      readonly tool: string;
      readonly success: boolean;
      readonly message: string;
      /** What the tool was given and what it answered, as JSON. */
      readonly input?: string | undefined;
      readonly output?: string | undefined;
    }
  | { readonly type: 'notification'; readonly name: string }
  | { readonly type: 'malformed'; readonly bytes: number };
