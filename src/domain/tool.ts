/** A tool offered to an agent. It runs host-side, with the worker's credential, bound to the run's own issue. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a call changed in the tracker or on the remote; evidence of who did what. */
export type ToolEffect =
  | { readonly kind: 'state_changed'; readonly from: string; readonly to: string }
  | { readonly kind: 'commented' }
  | { readonly kind: 'pull_request'; readonly url: string }
  | { readonly kind: 'pushed'; readonly branch: string; readonly commit: string };

/** New issues that agents filed for an issue, over all its runs and whatever worker had them run. */
export interface FollowUps {
  /** Counted before they are sent, so those that failed are in it. */
  readonly count: number;
  /** Ids and identifiers of those that were made, in lower case. */
  readonly names: readonly string[];
}

export const NO_FOLLOW_UPS: FollowUps = { count: 0, names: [] };

/** JSON-safe; a failure is a result the agent can read, never an exception that ends its session. */
export type ToolResult =
  | { readonly success: true; readonly output: unknown; readonly effect?: ToolEffect }
  | { readonly success: false; readonly error: { readonly code: string; readonly message: string } };

export function toolFailure(code: string, message: string): ToolResult {
  return { success: false, error: { code, message } };
}
