import type { Repository } from '../domain/repository.ts';
import type { TrustRules } from '../domain/trust.ts';
import type { Secret } from './resolve/secret.ts';
import type { AgentKind } from './schema/agent-kinds.ts';

/** The resolved configuration: validated, defaulted, absolute paths, `$VAR`s replaced. Nothing downstream sees YAML. */
export interface Config {
  /** Absolute path of the workflow file this came from. */
  readonly workflowPath: string;
  /** Which dialect's defaults apply: `go` (a repo block) or `symphony` (none: hooks fill the workspace). */
  readonly dialect: 'go' | 'symphony';
  /** The trimmed body; empty means the default prompt. */
  readonly promptTemplate: string;
  /** Line of the file the prompt starts on, for messages about the template. */
  readonly promptLine: number;
  readonly repo: RepoConfig | null;
  readonly forge: ForgeConfig;
  readonly tracker: TrackerConfig;
  readonly polling: { readonly intervalMs: number };
  readonly workspace: WorkspaceConfig;
  readonly hooks: HooksConfig;
  readonly agent: AgentConfig;
  readonly codex: CodexConfig;
  readonly claude: ClaudeConfig;
  readonly acp: AcpConfig;
  /** Whether texts from the tracker are set apart in prompts of the workflow's own template. */
  readonly prompt: { readonly delimit: boolean };
  readonly policy: { readonly mode: string };
  readonly verify: { readonly commands: readonly string[] };
  readonly sandbox: SandboxConfig;
  readonly server: ServerConfig;
  readonly worker: WorkerConfig;
  readonly observability: ObservabilityConfig;
  readonly rescue: RescueConfig;
  readonly journal: JournalConfig;
  readonly notifications: NotificationsConfig;
  /** Every credential that the file names or holds: none of them is for a child. */
  readonly secrets: readonly ConfigSecret[];
}

export interface ConfigSecret {
  readonly key: string;
  /** The variable it was read from; null when it stands in the file. */
  readonly variable: string | null;
  /** Null when the variable is not set. */
  readonly value: Secret | null;
}

export interface RepoConfig {
  readonly owner: string | null;
  readonly name: string | null;
  /** Without user and password where it is an http or https address. */
  readonly cloneUrl: string;
  readonly defaultBranch: string;
  /** `repo.token`. */
  readonly token: Secret | null;
  /** What the worker's own git answers when the host of the clone address asks; null leaves it to git's own helpers. */
  readonly credential: RepoCredential | null;
  /** Who carries the agent's commits to the remote. */
  readonly push: 'worker' | 'agent';
}

export interface RepoCredential {
  readonly source: 'clone_url' | 'repo.token' | 'tracker';
  /** May be a token itself. */
  readonly username: Secret;
  /** Null when the clone address names a user only: the password is asked of git's own helpers. */
  readonly password: Secret | null;
}

/** Where branches become pull requests. */
export interface ForgeConfig {
  readonly kind: 'github' | 'gitea' | 'none';
  /** Null only without a forge, as is the repository. */
  readonly endpoint: string | null;
  readonly repository: Repository | null;
  /** Null: nothing to sign in with is known, so that agents get no tools for pull requests. */
  readonly token: Secret | null;
}

export interface TrackerConfig {
  readonly kind: string;
  /** Flat keys and `tracker.provider.*` merged; unknown keys are kept for the adapter. */
  readonly provider: Readonly<Record<string, unknown>>;
  readonly apiKey: Secret | null;
  /** Name of the environment variable the key came from, so that it can be kept from agents. */
  readonly apiKeyVariable: string | null;
  readonly endpoint: string | null;
  readonly projectSlug: string | null;
  readonly teamKey: string | null;
  readonly assignee: string | null;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  /** Trimmed and lower-case; a blank entry matches no issue. */
  readonly requiredLabels: readonly string[];
  /** Whose texts may reach an agent; null means everybody's. */
  readonly trust: TrustRules | null;
  /** 0 means the adapter's own default. */
  readonly paginationMaxPages: number;
}

export interface WorkspaceConfig {
  /** Absolute. */
  readonly root: string;
  /** Absolute. */
  readonly mirrorRoot: string;
  /** Commits of history a clone fetches; null means all of it. */
  readonly cloneDepth: number | null;
  /** Fetch file contents only when a checkout needs them. */
  readonly partialClone: boolean;
  /** A run is not started with less free space than this at the root; 0 turns the check off. */
  readonly minFreeMb: number;
}

export type HookName = 'afterCreate' | 'beforeRun' | 'afterRun' | 'beforeRemove';

export interface HooksConfig {
  /** Commands in order; the first failure stops the list. */
  readonly commands: Readonly<Record<HookName, readonly string[]>>;
  readonly timeoutMs: number;
  readonly envPassthrough: readonly string[];
  /** Inside the agent's sandbox instead of with the worker's rights. */
  readonly sandbox: boolean;
}

export interface AgentConfig {
  readonly default: AgentKind;
  readonly maxConcurrentAgents: number;
  /** Keys are normalised state names. */
  readonly maxConcurrentAgentsByState: Readonly<Record<string, number>>;
  readonly maxTurns: number;
  /** Clean turns an issue may use over all its runs before it is blocked. */
  readonly maxContinuationTurns: number;
  /** 0 means no limit. */
  readonly maxTokensPerClaim: number;
  /** 0 means no limit. */
  readonly maxRuntimeSecondsPerClaim: number;
  readonly maxRetryBackoffMs: number;
  /** Cap on a whole run. */
  readonly timeoutMs: number;
  /** Runs in a row without progress before the issue is blocked. */
  readonly noProgressRuns: number;
  /** The Go keys above are aliases of `run.turns` and `issue.*` and always agree with them. */
  readonly budgets: BudgetsConfig;
  /** In the order of the file, which decides between profiles that fit the same issue. */
  readonly profiles: readonly AgentProfile[];
}

/** What runs the issues that a label or a state chooses it for. Everything is settled: nothing is left to look up elsewhere. */
export interface AgentProfile {
  /** Unique without regard to case; never `default`. */
  readonly name: string;
  readonly runner: AgentKind;
  /** Trimmed and lower-case. */
  readonly labels: readonly string[];
  /** Normalised state names. */
  readonly states: readonly string[];
  readonly maxTurns: number;
  readonly timeoutMs: number;
  /** Null means only the other limits count. */
  readonly maxConcurrentAgents: number | null;
  readonly codex: CodexConfig;
  readonly claude: ClaudeConfig;
  readonly acp: AcpConfig;
}

/** What may be spent in one scope; null means no limit. */
export interface BudgetLimits {
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly runtimeSeconds: number | null;
}

export interface BudgetsConfig {
  readonly run: BudgetLimits;
  /** Over all runs of one issue. */
  readonly issue: BudgetLimits;
  /** Over all issues in one UTC day. */
  readonly day: BudgetLimits;
  /** Over the life of the worker process. */
  readonly worker: BudgetLimits;
}

export interface CodexConfig {
  readonly command: string;
  readonly envPassthrough: readonly string[];
  readonly approvalPolicy: unknown;
  readonly threadSandbox: string;
  readonly turnSandboxPolicy: Readonly<Record<string, unknown>> | null;
  readonly turnTimeoutMs: number;
  readonly readTimeoutMs: number;
  /** 0 turns stall detection off. */
  readonly stallTimeoutMs: number;
  /** US dollars per million tokens, by model; they replace or complete the built-in list. */
  readonly prices: Readonly<Record<string, ModelPriceConfig>>;
  readonly linearGraphql: { readonly allowMutations: boolean; readonly allowedMutations: readonly string[] };
}

export interface ModelPriceConfig {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export interface ClaudeConfig {
  readonly command: string;
  readonly driver: 'auto' | 'sdk' | 'command';
  /** Where the Claude Agent SDK may be installed besides next to this package: the workflow's own folder. */
  readonly sdkFolders: readonly string[];
  readonly envPassthrough: readonly string[];
  /** Null means Claude's own choice. */
  readonly model: string | null;
  readonly permissionMode: 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions';
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  /** Requests to the model within one turn; null means no limit. */
  readonly maxTurns: number | null;
  readonly maxBudgetUsd: number | null;
  readonly turnTimeoutMs: number;
  /** 0 turns stall detection off. */
  readonly stallTimeoutMs: number;
}

export interface AcpConfig {
  /** Empty only while another agent is the default. */
  readonly command: string;
  readonly envPassthrough: readonly string[];
  readonly permissions: 'ask' | 'allow';
  /** Absolute. */
  readonly stateFolders: readonly string[];
  readonly turnTimeoutMs: number;
  /** 0 turns stall detection off. */
  readonly stallTimeoutMs: number;
}

export interface SandboxConfig {
  readonly enabled: boolean;
  readonly backend: 'none' | 'bubblewrap' | 'firejail';
  readonly network: 'none' | 'allowlist' | 'normal';
  readonly networkAllowlistCidrs: readonly string[];
  readonly networkInterface: string | null;
  readonly envAllowlist: readonly string[];
  readonly credentialFiles: readonly string[];
  readonly writableFolders: readonly string[];
}

export interface ServerConfig {
  readonly host: string;
  /** 0 picks a free one, -1 means no listener. */
  readonly port: number;
  /** False for the default, which gives way to a free port when it is taken. */
  readonly portWritten: boolean;
  /** What needs the worker's own token from this machine. */
  readonly requireToken: 'actions' | 'all';
  readonly webhooks: WebhooksConfig;
}

export interface WebhooksConfig {
  /** What the tracker signs its webhooks with; null means there are none. */
  readonly secret: Secret | null;
}

export interface WorkerConfig {
  /** Empty means runs execute on this machine. */
  readonly sshHosts: readonly string[];
  /** Null means only the global limit counts. */
  readonly maxConcurrentAgentsPerHost: number | null;
}

/** The terminal dashboard's settings, as upstream names them. */
export interface ObservabilityConfig {
  readonly dashboardEnabled: boolean;
  readonly refreshMs: number;
  readonly renderIntervalMs: number;
}

/** How long saved unpushed work is kept; 0 means without limit. */
export interface RescueConfig {
  readonly keepDays: number;
  readonly maxMb: number;
}

export type NoticeKind = 'needs_you' | 'delivered';

/** Where notices go. An address may hold a token in its path, so it is a secret. */
export interface NotificationsConfig {
  readonly webhookUrl: Secret | null;
  readonly slackUrl: Secret | null;
  readonly command: string | null;
  readonly on: readonly NoticeKind[];
}

export interface JournalConfig {
  /** Days that runs and their timelines are kept; 0 means for ever. */
  readonly keepDays: number;
}
