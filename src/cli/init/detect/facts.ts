/** What was found about the place in which `aiops init` runs. Data only: everything that follows from it is decided elsewhere. */

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
  readonly kind: string;
  /** Address of the API as `tracker.endpoint` wants it; null for the service that is the default. */
  readonly endpoint: string | null;
  readonly owner: string;
  readonly name: string;
}

export interface AgentFacts {
  /** As `--agent` names it. */
  readonly id: string;
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
  /** The kind of tracker whose own program gives a token, as `gh` does; null when there is none, or a variable holds one. */
  readonly lender: string | null;
}
