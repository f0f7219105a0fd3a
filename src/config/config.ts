import type { Repository } from '../domain/repository.ts';
import type { TrustRules } from '../domain/trust.ts';
import type { AgentOptions, ResolvedAgent } from './kinds.ts';
import type { Secret } from './resolve/secret.ts';
import type { BlockSettings } from './schema/key.ts';
import type { notificationsBlock } from './schema/notifications.ts';
import type { repoBlock } from './schema/repo.ts';
import type { sandboxBlock } from './schema/sandbox.ts';
import type { serverBlock } from './schema/server.ts';
import type {
  journalBlock,
  observabilityBlock,
  policyBlock,
  pollingBlock,
  rescueBlock,
  verifyBlock,
  workerBlock,
} from './schema/service.ts';
import type { promptBlock } from './schema/trust.ts';
import type { AgentKeySettings } from './schema/workflow.ts';
import type { hooksBlock, workspaceBlock } from './schema/workspace.ts';

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
  readonly agent: AgentConfig;
  /** The settings of the blocks of all agents by the name of the block, as the top level has them. */
  readonly agents: Readonly<Record<string, AgentOptions>>;
  readonly polling: BlockSettings<typeof pollingBlock>;
  readonly workspace: WorkspaceConfig;
  readonly hooks: HooksConfig;
  readonly prompt: BlockSettings<typeof promptBlock>;
  readonly policy: BlockSettings<typeof policyBlock>;
  readonly verify: BlockSettings<typeof verifyBlock>;
  readonly sandbox: SandboxConfig;
  readonly server: ServerConfig;
  readonly worker: BlockSettings<typeof workerBlock>;
  readonly observability: BlockSettings<typeof observabilityBlock>;
  readonly rescue: BlockSettings<typeof rescueBlock>;
  readonly journal: BlockSettings<typeof journalBlock>;
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

export interface RepoConfig extends BlockSettings<typeof repoBlock> {
  readonly owner: string | null;
  readonly name: string | null;
  /** Without user and password where it is an http or https address. */
  readonly cloneUrl: string;
  /** What the worker's own git answers when the host of the clone address asks; null leaves it to git's own helpers. */
  readonly credential: RepoCredential | null;
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
  /** `none` without a forge. */
  readonly kind: string;
  /** Null only without a forge, as is the repository. */
  readonly endpoint: string | null;
  readonly repository: Repository | null;
  /** Null: nothing to sign in with is known, so that agents get no tools for pull requests. */
  readonly token: Secret | null;
}

export interface TrackerConfig {
  readonly kind: string;
  /** Flat keys and `tracker.provider.*` merged, under their written names; unknown keys are kept for the adapter. */
  readonly provider: Readonly<Record<string, unknown>>;
  readonly apiKey: Secret | null;
  /** Name of the environment variable the key came from, so that it can be kept from agents. */
  readonly apiKeyVariable: string | null;
  readonly endpoint: string | null;
  readonly assignee: string | null;
  /** The project, repository or folder that the issues are in; null when that is not known. */
  readonly place: string | null;
  /** What narrows the issues of `place` further, such as a team; null when nothing does. */
  readonly part: string | null;
  /** True when `place` is a folder of this machine. */
  readonly isFolder: boolean;
  /** True when an issue has one assignee at most. */
  readonly hasOneAssignee: boolean;
  /** The setting of the key that the tracker has in the block of an agent; null when it has none. */
  readonly forAgents: unknown;
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

/** The agent that runs what no profile is chosen for, and what holds for all agents. */
export interface AgentConfig extends ResolvedAgent, AgentKeySettings {
  /** Cap on a whole run. */
  readonly timeoutMs: number;
  /** In the order of the file, which decides between profiles that fit the same issue. */
  readonly profiles: readonly AgentProfile[];
}

/** What runs the issues that a label or a state chooses it for. Everything is settled: nothing is left to look up elsewhere. */
export interface AgentProfile {
  /** Unique without regard to case; never `default`. */
  readonly name: string;
  readonly agent: ResolvedAgent;
  /** Trimmed and lower-case. */
  readonly labels: readonly string[];
  /** Normalised state names. */
  readonly states: readonly string[];
  readonly maxTurns: number;
  readonly timeoutMs: number;
  /** Null means only the other limits count. */
  readonly maxConcurrentAgents: number | null;
}

export type BudgetsConfig = AgentKeySettings['budgets'];
/** What may be spent in one scope; null means no limit. */
export type BudgetLimits = BudgetsConfig['run'];

export type WorkspaceConfig = BlockSettings<typeof workspaceBlock>;
export type HooksConfig = BlockSettings<typeof hooksBlock>;
export type HookName = 'afterCreate' | 'beforeRun' | 'afterRun' | 'beforeRemove';
export type SandboxConfig = BlockSettings<typeof sandboxBlock>;
export type NotificationsConfig = BlockSettings<typeof notificationsBlock>;
export type NoticeKind = NotificationsConfig['on'][number];

export interface ServerConfig extends BlockSettings<typeof serverBlock> {
  /** False for the default, which gives way to a free port when it is taken. */
  readonly portWritten: boolean;
}
