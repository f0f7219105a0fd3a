/** What was found about the place in which `aiops init` runs. Data only: everything that follows from it is decided elsewhere. */

export type TrackerChoice = 'github' | 'gitea' | 'linear' | 'local';
export type AgentId = 'codex' | 'claude' | 'gemini' | 'opencode' | 'mock';

export interface RepositoryFacts {
  /** What git is to clone: an address without credentials, or a path as it goes into the file. */
  readonly cloneUrl: string;
  /** A folder of this machine with the repository's files; null for an address, and for a bare repository. */
  readonly folder: string | null;
  /** True when the address held a user and password that were left out. */
  readonly hadCredentials: boolean;
  readonly defaultBranch: string | null;
  /** Null when that could not be found out. */
  readonly hasCommits: boolean | null;
}

export interface ForgeFacts {
  readonly kind: 'github' | 'gitea';
  /** Address of the API as `tracker.endpoint` wants it; null for github.com, which is the default. */
  readonly endpoint: string | null;
  readonly owner: string;
  readonly name: string;
}

export interface AgentFacts {
  readonly id: Exclude<AgentId, 'mock'>;
  /** Absolute. */
  readonly program: string;
  /** Null when that cannot be found out without a model. */
  readonly signedIn: boolean | null;
}

/** What the project's own files say about checking a change. */
export interface ProjectFacts {
  readonly verify: readonly string[];
  /** Fetches what the verify commands need, once in each new workspace. */
  readonly setUp: string | null;
}

export interface Facts {
  readonly repository: RepositoryFacts | null;
  readonly forge: ForgeFacts | null;
  readonly agents: readonly AgentFacts[];
  readonly project: ProjectFacts;
  /** Names of the variables that are set and not blank. */
  readonly variables: readonly string[];
  /** True when `gh auth token` gives a token. */
  readonly ghSignedIn: boolean;
}
