/** One thing a hostile agent does in its workspace; a later attack is one more row. */
export interface Attack {
  readonly name: string;
  /** Shell, run in the sandbox with the workspace as its folder. */
  readonly script: string;
  /** Nothing that must be kept is left, for example when the work itself is what the attack destroys. */
  readonly keepsNothing?: boolean;
}

/** What an attack may name: places of the host that an agent knows, or guesses. */
export interface Surroundings {
  /** A program that leaves a proof when it runs outside. */
  readonly program: string;
  /** A repository of somebody else, and its head. */
  readonly foreign: string;
  readonly foreignHead: string;
  /** The folder of another run. */
  readonly neighbour: string;
  readonly root: string;
  readonly mirrorRoot: string;
  readonly home: string;
}
