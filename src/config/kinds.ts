import type { z } from 'zod';
import type { Resolution } from './resolve/context.ts';
import type { Block } from './schema/key.ts';

/**
 * What the configuration needs to know of an agent, a tracker or a forge. Each adapter says it in its own `settings.ts`, which imports
 * nothing heavy; the registries list them, and whoever loads a workflow passes the lists in.
 */
export interface Kinds {
  readonly agents: readonly AgentKind[];
  readonly trackers: readonly TrackerSettings[];
  readonly forges: readonly ForgeSettings[];
}

/** An agent, resolved: everything that is the same for all of them, and what only its own runner understands. */
export interface ResolvedAgent {
  readonly kind: string;
  /** The shell command that starts it; empty for one that is built in. */
  readonly command: string;
  /** Names of the variables it gets besides the basic ones and those that `command` names. */
  readonly environment: readonly string[];
  readonly timeouts: AgentTimeouts;
  /** The settings of its block. */
  readonly options: AgentOptions;
}

/** Of files with a `repo` block, as the Go worker has them, and of those without, as upstream has them. */
export type Dialect = 'go' | 'symphony';

export interface AgentTimeouts {
  /** Longest silence within a turn. */
  readonly turnMs: number;
  /** 0 turns stall detection off. */
  readonly stallMs: number;
}

export type AgentOptions = Readonly<Record<string, unknown>>;

/** The options of an agent as its own runner knows them; for the code of that agent only. */
export function optionsOf<Options>({ options }: Pick<ResolvedAgent, 'options'>): Options {
  return options as Options;
}

export interface AgentKind {
  /** As `agent.default` and `runner` of a profile name it. */
  readonly kind: string;
  /** The top-level block its keys are in. */
  readonly section: string;
  /** The definition of that block; null when it is another agent's, whose times hold for this one too. */
  readonly block: Block | null;
  /** The dialect in which it runs when `agent.default` is not written; each has one such agent. */
  readonly defaultIn?: Dialect;
  /** True for an agent without a program of its own. */
  readonly builtIn?: boolean;
  /** Variables that it gets wherever they are set: where it keeps its own state. */
  readonly environment: readonly string[];
  /** True when its program can be asked whether it is signed in to its model. */
  readonly signsIn?: boolean;
  /** True when its tools may write caches into the workspace only. */
  readonly cachesInWorkspace?: boolean;
  /** Settings that stand in no key. */
  extraOptions?(at: Resolution): AgentOptions;
  /** Reports what is missing once the agent is chosen; `chooser` is the key that does. */
  checkChosen?(at: Resolution, chooser: string, options: AgentOptions): void;
  /** Folders that its own settings let it write besides the workspace, and the key that does. */
  opensFolders?(options: AgentOptions): readonly { readonly key: string; readonly folder: string }[];
  /** Keys of its block that no longer exist, and what replaces them. */
  readonly removedKeys: Readonly<Record<string, string>>;
  /** Keys that older files carry in its block without effect. */
  readonly idleKeys?: readonly string[];
}

/** The agent that runs when a file names none. */
export function defaultAgent({ agents }: Kinds, dialect: Dialect): AgentKind {
  const found = agents.find(({ defaultIn }) => defaultIn === dialect);
  if (found === undefined) throw new Error(`no agent is the default of the ${dialect} dialect`);
  return found;
}

export interface TrackerSettings {
  /** As `tracker.kind` names it. */
  readonly kind: string;
  /** Its own keys, written flat under `tracker` or under `tracker.provider`. */
  readonly flatKeys: z.ZodRawShape;
  /** Its own keys that are only written under `tracker.provider`. */
  readonly providerKeys: z.ZodRawShape;
  /** Other names of shared keys under `tracker.provider`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Keys of other trackers that are an error in its files, and what to do instead. */
  readonly refusedKeys?: Readonly<Record<string, string>>;
  /** What its credential is read from without a key, and other names that hold one by convention; null when it needs none. */
  readonly credential: { readonly variable: string; readonly alsoNamed: readonly string[] } | null;
  /** The address of its API without a key, and the variable that comes before that; null when it has none. */
  readonly endpoint: { readonly usual: string; readonly variable: string | null } | null;
  /** Read in the Symphony dialect when no assignee is written. */
  readonly assigneeVariable?: string;
  /** Read when neither `tracker.provider.repo` nor a `repo` block is written. */
  readonly repositoryVariable?: string;
  readonly inactiveStates: readonly string[];
  /** Pages of one listing, unless the workflow says otherwise; null when it is not read in pages. */
  readonly maxPages: number | null;
  /** The key whose value tells its issues from those of others, whether that is a folder of this machine, and the key that narrows it. */
  readonly scope: { readonly key: string; readonly isFolder: boolean; readonly part?: string };
  /** True when an issue has one assignee at most, so that two names never mean the same issue. */
  readonly hasOneAssignee?: boolean;
  /** True when authors have an association with the repository. */
  readonly hasAssociations?: boolean;
  /** A key that is written in the block of an agent, for all agents. */
  readonly keyOfAgents?: {
    readonly section: string;
    readonly name: string;
    readonly key: Block;
    /** What to do when a profile has it. */
    readonly notInProfiles: string;
  };
}

export interface ForgeSettings {
  /** As `forge.kind` names it. A tracker of the same name has its issues on this forge. */
  readonly kind: string;
  /** Servers of this kind that people run themselves, as they call them. */
  readonly servers: string;
  /** What `forge.endpoint` is for such a server. */
  readonly endpointText: string;
  /** What the address of the API has behind that of the web pages. */
  readonly apiPath: string;
  /** Names the API when the tracker is of another kind. */
  readonly endpointVariable: string;
  /** The one server that everybody uses; null for a kind that has none. */
  readonly service: {
    /** The first is that of its web pages. */
    readonly hosts: readonly [string, ...string[]];
    readonly endpoint: string;
  } | null;
}
