/** Definitions that have a name in the generated types; all others are written where they are used. */
export const NAMED = [
  ...['AskForApproval', 'SandboxMode', 'SandboxPolicy', 'UserInput', 'ReviewDecision'],
  ...['Turn', 'TurnError', 'CodexErrorInfo', 'TokenUsageBreakdown', 'ThreadItem'],
];

/**
 * Fields that are used, by definition; definitions that are not named here are taken whole. Of what is sent, required
 * fields are always there, so that a new one is missed by the compiler and not by the server.
 */
export const FIELDS = {
  InitializeCapabilities: ['experimentalApi', 'requestAttestation', 'optOutNotificationMethods'],
  ThreadStartParams: ['cwd', 'approvalPolicy', 'sandbox', 'config', 'dynamicTools'],
  ThreadResumeParams: ['threadId', 'cwd', 'approvalPolicy', 'sandbox', 'config', 'excludeTurns'],
  ThreadTurnsListParams: ['threadId', 'limit', 'itemsView'],
  TurnStartParams: ['threadId', 'input', 'cwd', 'approvalPolicy', 'sandboxPolicy'],
  TurnSteerParams: ['threadId', 'input', 'expectedTurnId'],
  DynamicToolSpec: ['type', 'name', 'description', 'inputSchema'],
  PermissionsRequestApprovalResponse: ['permissions', 'scope'],
  GrantedPermissionProfile: [],

  InitializeResponse: ['userAgent'],
  ThreadStartResponse: ['thread', 'model', 'sandbox'],
  ThreadResumeResponse: ['thread', 'model', 'sandbox'],
  Thread: ['id'],
  ThreadTurnsListResponse: ['data'],
  TurnSteerResponse: [],
  Turn: ['id', 'status', 'error'],
  TurnError: ['message', 'codexErrorInfo', 'additionalDetails'],
  ConfigWarningNotification: ['summary'],
  DeprecationNoticeNotification: ['summary'],
  WarningNotification: ['message'],
  ErrorNotification: ['threadId', 'error', 'willRetry'],
  ThreadStartedNotification: [],
  TokenUsageBreakdown: ['inputTokens', 'cachedInputTokens', 'outputTokens'],
  ThreadTokenUsage: ['total', 'last'],
  ThreadStatus: ['type'],
  RateLimitSnapshot: ['limitId'],
  ModelReroutedNotification: ['threadId', 'toModel'],
  TurnPlanUpdatedNotification: ['threadId', 'plan'],
  ItemStartedNotification: ['threadId', 'item'],
  ItemCompletedNotification: ['threadId', 'item'],
  ThreadItem: [
    ...['type', 'id', 'text', 'review', 'summary', 'command', 'status', 'exitCode', 'durationMs', 'changes'],
    ...['server', 'tool', 'query', 'aggregatedOutput', 'arguments', 'result', 'error', 'contentItems'],
  ],
  FileUpdateChange: ['path'],
  AgentMessageDeltaNotification: [],
  CommandExecutionRequestApprovalParams: ['command', 'cwd', 'reason', 'networkApprovalContext'],
  NetworkApprovalContext: ['host'],
  FileChangeRequestApprovalParams: ['itemId', 'reason', 'grantRoot'],
  PermissionsRequestApprovalParams: ['reason', 'permissions'],
  RequestPermissionProfile: ['fileSystem', 'network'],
  AdditionalFileSystemPermissions: [],
  AdditionalNetworkPermissions: [],
  DynamicToolCallParams: ['tool', 'arguments'],
  ToolRequestUserInputParams: ['questions'],
  ToolRequestUserInputQuestion: ['id', 'question', 'options'],
  ToolRequestUserInputOption: ['label'],
  McpServerElicitationRequestParams: ['serverName', 'message'],
  CurrentTimeReadParams: [],
  ExecCommandApprovalParams: [],
  ApplyPatchApprovalParams: [],
};

/** Alternatives that are used, by definition: texts, or objects by their `type` or their only field. */
export const ALTERNATIVES = {
  UserInput: ['text'],
  DynamicToolSpec: ['function'],
  DynamicToolCallOutputContentItem: ['inputText'],
  CommandExecutionApprovalDecision: ['accept', 'acceptForSession', 'cancel'],
  FileChangeApprovalDecision: ['accept', 'acceptForSession', 'cancel'],
  ReviewDecision: ['approved', 'approved_for_session', 'abort'],
  TurnItemsView: ['notLoaded'],

  ThreadStatus: ['active'],
  TurnStatus: ['completed', 'interrupted', 'inProgress'],
  TurnPlanStepStatus: ['completed', 'inProgress'],
  ThreadItem: [
    ...['agentMessage', 'exitedReviewMode', 'reasoning', 'plan', 'commandExecution', 'fileChange'],
    ...['mcpToolCall', 'dynamicToolCall', 'webSearch', 'contextCompaction'],
  ],
  CodexErrorInfo: [
    ...[
      'contextWindowExceeded',
      'usageLimitExceeded',
      'rateLimitExceeded',
      'unauthorized',
      'serverOverloaded',
    ],
    ...['flexUnavailable', 'policyCapacityUnavailable', 'httpConnectionFailed'],
  ],
};
