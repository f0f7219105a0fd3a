import type { WrittenKey } from '../config/show/written-keys.ts';

/** What `aiops init` needs of an agent: how to find and offer it, and what a workflow says about it. */
export interface AgentSetup {
  /** As `--agent` names it, and its program on the PATH unless it is built in. */
  readonly name: string;
  /** Other names that `--agent` takes. */
  readonly alsoNamed?: readonly string[];
  /** As it is offered. */
  readonly title: string;
  /** What is said beside it where there is no program to show. */
  readonly remark?: string;
  /** The command that installs it, for somebody who has no agent at all. */
  readonly install?: string;
  /** The command that signs in to its model. */
  readonly signIn?: string;
  /** What it needs of the environment to reach its model; everything else stays away from it. */
  readonly variables: readonly string[];
  /** What starts it, where its block has no default for that. */
  readonly command?: string;
  /** Further keys of its block. */
  readonly keys?: readonly WrittenKey[];
}
