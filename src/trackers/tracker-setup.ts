import type { Environment } from '../config/read/environment.ts';
import type { WrittenKey } from '../config/show/written-keys.ts';
import type { Repository } from '../domain/repository.ts';

/** What `aiops init` needs of a tracker: how to offer it, what to ask, and what a workflow says about it. */
export interface TrackerSetup {
  /** As it is offered. */
  readonly title: string;
  /** What is said beside it where no token has to be spoken of. */
  readonly remark?: string;
  /** Other names that `--tracker` takes. */
  readonly alsoNamed?: readonly string[];
  /** Null when it needs none. */
  readonly token: TokenSetup | null;
  /** What `--project` means for it. */
  readonly project?: string;
  /** Flags of the command that only this tracker has. */
  readonly flags?: readonly { readonly name: string; readonly text: string }[];
  /** Asks what is left to ask. Throws `usage`, with the flag to give, for what nobody said and nobody can be asked. */
  plan(request: PlanRequest): Promise<PlannedTracker>;
}

export interface TokenSetup {
  /** The variables that may hold it, the usual one first. */
  readonly variables: readonly [string, ...string[]];
  /** Where a person makes one. */
  readonly page: string;
  /** A program that prints one for whoever is signed in to it. */
  readonly lender?: { readonly program: string; readonly args: readonly string[] };
}

/** Who can be asked while it is decided. */
export interface Asking {
  /** A person; null when there is none. */
  readonly questions: Questions | null;
  /** True when no server may be asked. */
  readonly offline: boolean;
  readonly environment: Environment;
  tell(text: string): void;
}

export interface PlanRequest extends Asking {
  /** The flags of the command by their name in camel case. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Null for the address that is the default. */
  readonly endpoint: string | null;
  /** The variable that the workflow names; null for a tracker without a token. */
  readonly tokenVariable: string | null;
  /** The repository whose issues are read; null for a tracker that is no forge. */
  readonly repository: Repository | null;
}

/** What a workflow says about a tracker. */
export interface PlannedTracker {
  /** Whose issues these are, in a few words. */
  readonly description: string;
  /** Its own keys. */
  readonly keys: readonly WrittenKey[];
  /** What the lists of states mean there. */
  readonly statesComment: string;
  readonly states: WorkStates;
  /** Keys behind those of the states. */
  readonly laterKeys?: readonly WrittenKey[];
  /** How a person has an issue taken by an agent, or the folder that `aiops issue new` writes one to. */
  readonly firstIssue: string | { readonly folder: string };
}

/** How a tracker names the steps of the work. */
export interface WorkStates {
  readonly active: readonly string[];
  readonly inactive: readonly string[];
  readonly terminal: readonly string[];
  /** Where a person puts an issue that an agent shall take. */
  readonly ready: string;
  /** Sent back by a reviewer; null where there is no such state. */
  readonly rework: string | null;
  /** Where the agent puts it when its work is done. */
  readonly review: string;
}

/** One possible answer to a question, best first. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Why it is there, or what it lacks. */
  readonly hint: string;
}

/** Asks a person. Every method throws when they give up. */
export interface Questions {
  choose<Value extends string>(message: string, options: readonly Option<Value>[]): Promise<Value>;
  /** `check` says what is wrong with an answer, or gives null. */
  text(message: string, initial: string, check: (answer: string) => string | null): Promise<string>;
  confirm(message: string, initial: boolean): Promise<boolean>;
}

export function textFlag(flags: PlanRequest['flags'], name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}
