/** Asks the worker to put a run's own branch onto the remote. */
export interface PushRequest {
  /** Full object id; null means the head of the work branch. */
  readonly commit: string | null;
  /** Replace what the remote has of the branch, with a lease and over commits of this issue only. */
  readonly force: boolean;
}

/** A refusal is an answer: nothing is thrown for it. The remote's own words are cleaned and bounded. */
export type PushResult =
  | {
      readonly ok: true;
      readonly branch: string;
      readonly commit: string;
      /** False when the remote had the commit already. */
      readonly changed: boolean;
      readonly remoteLines: readonly string[];
    }
  | {
      readonly ok: false;
      /** One word for programs, such as `rejected`. */
      readonly code: string;
      /** What is wrong and what to do, for the agent or a person. */
      readonly message: string;
      readonly remoteLines: readonly string[];
    };
