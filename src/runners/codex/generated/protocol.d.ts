// What is used of the protocol of Codex 0.166.0; generated, see test/real/codex/update-types.mjs

export type Version = '0.166.0';

// What is sent: requests, and answers to the requests of the server.

export type ClientParams = {
  initialize: {
    capabilities?: {
      experimentalApi?: boolean;
      optOutNotificationMethods?: readonly string[] | null;
      requestAttestation?: boolean;
    } | null;
    clientInfo: { name: string; title?: string | null; version: string };
  };
  'thread/start': {
    approvalPolicy?: AskForApproval | null;
    config?: { readonly [key: string]: unknown } | null;
    cwd?: string | null;
    dynamicTools?:
      | readonly { description: string; inputSchema: unknown; name: string; type: 'function' }[]
      | null;
    sandbox?: SandboxMode | null;
  };
  'thread/resume': {
    approvalPolicy?: AskForApproval | null;
    config?: { readonly [key: string]: unknown } | null;
    cwd?: string | null;
    excludeTurns?: boolean;
    sandbox?: SandboxMode | null;
    threadId: string;
  };
  'thread/name/set': { name: string; threadId: string };
  'thread/turns/list': { itemsView?: 'notLoaded' | null; limit?: number | null; threadId: string };
  'thread/backgroundTerminals/clean': { threadId: string };
  'turn/start': {
    approvalPolicy?: AskForApproval | null;
    cwd?: string | null;
    input: readonly UserInput[];
    sandboxPolicy?: SandboxPolicy | null;
    threadId: string;
  };
  'turn/steer': { expectedTurnId: string; input: readonly UserInput[]; threadId: string };
  'turn/interrupt': { threadId: string; turnId: string };
};

export type ServerResults = {
  'item/commandExecution/requestApproval': { decision: 'accept' | 'acceptForSession' | 'cancel' };
  'item/fileChange/requestApproval': { decision: 'accept' | 'acceptForSession' | 'cancel' };
  'item/permissions/requestApproval': { permissions: object; scope?: 'turn' | 'session' };
  'item/tool/call': { contentItems: readonly { text: string; type: 'inputText' }[]; success: boolean };
  'item/tool/requestUserInput': { answers: { readonly [key: string]: { answers: readonly string[] } } };
  'mcpServer/elicitation/request': {
    _meta?: unknown;
    action: 'accept' | 'decline' | 'cancel';
    content?: unknown;
  };
  'currentTime/read': { currentTimeAt: number };
  execCommandApproval: { decision: ReviewDecision };
  applyPatchApproval: { decision: ReviewDecision };
};

// What is read: answers, requests and notifications of the server.

export type ClientResults = {
  initialize: { userAgent: string };
  'thread/start': { model: string; sandbox: SandboxPolicy; thread: { id: string } };
  'thread/resume': { model: string; sandbox: SandboxPolicy; thread: { id: string } };
  'thread/turns/list': { data: Turn[] };
  'turn/start': { turn: Turn };
};

export type ServerParams = {
  'item/commandExecution/requestApproval': {
    command?: string | null;
    cwd?: string | null;
    networkApprovalContext?: { host: string } | null;
    reason?: string | null;
  };
  'item/fileChange/requestApproval': { grantRoot?: string | null; itemId: string; reason?: string | null };
  'item/permissions/requestApproval': {
    permissions: { fileSystem?: object | null; network?: object | null };
    reason?: string | null;
  };
  'item/tool/call': { arguments: unknown; tool: string };
  'item/tool/requestUserInput': {
    questions: { id: string; options?: { label: string }[] | null; question: string }[];
  };
  'mcpServer/elicitation/request': { serverName: string } & (object | { message: string });
};

export type Notifications = {
  error: { error: TurnError; threadId: string; willRetry: boolean };
  warning: { message: string };
  configWarning: { summary: string };
  deprecationNotice: { summary: string };
  'thread/status/changed': { status: { type: 'active' }; threadId: string };
  'thread/tokenUsage/updated': {
    threadId: string;
    tokenUsage: { last: TokenUsageBreakdown; total: TokenUsageBreakdown };
    turnId: string;
  };
  'account/rateLimits/updated': { rateLimits: { limitId?: string | null } };
  'model/rerouted': { threadId: string; toModel: string };
  'turn/started': { threadId: string; turn: Turn };
  'turn/completed': { threadId: string; turn: Turn };
  'turn/plan/updated': { plan: { status: 'inProgress' | 'completed'; step: string }[]; threadId: string };
  'item/started': { item: ThreadItem; threadId: string };
  'item/completed': { item: ThreadItem; threadId: string };
};

export type AskForApproval =
  | 'untrusted'
  | 'on-request'
  | 'never'
  | {
      granular: {
        mcp_elicitations: boolean;
        request_permissions?: boolean;
        rules: boolean;
        sandbox_approval: boolean;
        skill_approval?: boolean;
      };
    };

export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export type SandboxPolicy =
  | { type: 'dangerFullAccess' }
  | { networkAccess?: boolean; type: 'readOnly' }
  | { networkAccess?: 'restricted' | 'enabled'; type: 'externalSandbox' }
  | {
      excludeSlashTmp?: boolean;
      excludeTmpdirEnvVar?: boolean;
      networkAccess?: boolean;
      type: 'workspaceWrite';
      writableRoots?: readonly string[];
    };

export type UserInput = {
  text: string;
  text_elements?: readonly { byteRange: { end: number; start: number }; placeholder?: string | null }[];
  type: 'text';
};

export type ReviewDecision = 'approved' | 'approved_for_session' | 'abort';

export type Turn = {
  error?: TurnError | null;
  id: string;
  status: 'completed' | 'interrupted' | 'inProgress';
};

export type TurnError = {
  additionalDetails?: string | null;
  codexErrorInfo?: CodexErrorInfo | null;
  message: string;
};

export type CodexErrorInfo =
  | 'contextWindowExceeded'
  | 'usageLimitExceeded'
  | 'rateLimitExceeded'
  | 'flexUnavailable'
  | 'serverOverloaded'
  | 'policyCapacityUnavailable'
  | 'unauthorized'
  | { httpConnectionFailed: { httpStatusCode?: number | null } };

export type TokenUsageBreakdown = { cachedInputTokens: number; inputTokens: number; outputTokens: number };

export type ThreadItem =
  | { id: string; text: string; type: 'agentMessage' }
  | { id: string; text: string; type: 'plan' }
  | { id: string; summary?: string[]; type: 'reasoning' }
  | {
      aggregatedOutput?: string | null;
      command: string;
      durationMs?: number | null;
      exitCode?: number | null;
      id: string;
      status: string;
      type: 'commandExecution';
    }
  | { changes: { path: string }[]; id: string; status: string; type: 'fileChange' }
  | {
      arguments: unknown;
      durationMs?: number | null;
      error?: { message: string } | null;
      id: string;
      result?: { _meta?: unknown; content: unknown[]; structuredContent?: unknown } | null;
      server: string;
      status: string;
      tool: string;
      type: 'mcpToolCall';
    }
  | {
      arguments: unknown;
      contentItems?: { text: string; type: 'inputText' }[] | null;
      durationMs?: number | null;
      id: string;
      status: string;
      tool: string;
      type: 'dynamicToolCall';
    }
  | { id: string; query: string; type: 'webSearch' }
  | { id: string; review: string; type: 'exitedReviewMode' }
  | { id: string; type: 'contextCompaction' };
