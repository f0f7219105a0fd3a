/** Identifies a dispatch item within the configured tracker scope. Opaque to everything but its adapter. */
export type IssueId = string;

export interface BlockerRef {
  readonly id: string | null;
  readonly identifier: string | null;
  readonly state: string | null;
}

/** Who wrote a text, as far as the tracker vouches for it: never a name that people give themselves. */
export interface Author {
  /** What the account is called that nobody else can be called: login, email address, id. The first is shown. */
  readonly names: readonly string[];
  /** How the account stands to the repository (GitHub: `OWNER`, `MEMBER`, `NONE` …); null when the tracker does not say. */
  readonly association: string | null;
}

/** JSON-safe provider identifiers a tool needs; never a secret, never read by the core. */
export type NativeRef = Readonly<Record<string, unknown>>;

/** The normalised tracker issue. Adapters fill every field; nullable ones are null, collections are empty. */
export interface Issue {
  readonly id: IssueId;
  /** Human key, unique in scope; names the workspace and appears in logs. */
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  /** 1..4 rank first, ascending; anything else shares the last rank. */
  readonly priority: number | null;
  /** Provider-native spelling; compare with `sameState`. */
  readonly state: string;
  readonly branchName: string | null;
  readonly url: string | null;
  readonly assigneeId: string | null;
  /** Null when the tracker names nobody, or somebody it does not vouch for. */
  readonly author: Author | null;
  /** Trimmed, lower-case, without duplicates. */
  readonly labels: readonly string[];
  readonly blockedBy: readonly BlockerRef[];
  /** False when a rule only the adapter can judge (assignment, blockers, board membership) forbids a run. */
  readonly dispatchable: boolean;
  /** Says why `dispatchable` is false, for people: `blocked by ENG-3 (In Progress)`. Null when it is true. */
  readonly undispatchableReason: string | null;
  /** RFC 3339 instants in UTC. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly nativeRef: NativeRef | null;
}

/** What an id refresh learnt about one requested id. Unknown never justifies stopping anything. */
export type RefreshOutcome =
  | { readonly kind: 'current'; readonly issue: Issue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: string };
