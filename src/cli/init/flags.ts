import { nearest } from '../../domain/nearest.ts';
import { AppError } from '../../errors/app-error.ts';
import { AGENTS, TRACKERS } from './kinds.ts';

/** The command line of `aiops init`; what is left out is found out or asked. */
export interface InitFlags {
  readonly path?: string;
  readonly repo?: string;
  readonly branch?: string;
  readonly tracker?: string;
  readonly endpoint?: string;
  readonly project?: string;
  readonly agent?: string;
  /** False: none, whatever the project's files say. */
  readonly verify?: readonly string[] | false;
  readonly example?: boolean;
  readonly labels?: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
  readonly json: boolean;
  /** All of them by name, with those that trackers bring. */
  readonly all: Readonly<Record<string, unknown>>;
}

/** What `--tracker` takes, and the kind that is meant. */
export const TRACKER_NAMES: ReadonlyMap<string, string> = new Map(
  TRACKERS.flatMap(({ kind, setup: { alsoNamed = [] } }) =>
    [kind, ...alsoNamed].map((name): [string, string] => [name, kind]),
  ),
);

/** What `--agent` takes, and the name of the agent that is meant. */
export const AGENT_NAMES: ReadonlyMap<string, string> = new Map(
  AGENTS.flatMap(({ name, alsoNamed = [] }) =>
    [name, ...alsoNamed].map((other): [string, string] => [other, name]),
  ),
);

export function parseTracker(given: string | undefined): string | null {
  return given === undefined ? null : lookUp('--tracker', given, TRACKER_NAMES);
}

export function parseAgent(given: string | undefined): string | null {
  return given === undefined ? null : lookUp('--agent', given, AGENT_NAMES);
}

function lookUp(flag: string, given: string, table: ReadonlyMap<string, string>): string {
  const name = given.trim().toLowerCase();
  const found = table.get(name);
  if (found !== undefined) return found;
  const names = [...table.keys()];
  const similar = nearest(name, names);
  throw new AppError('usage', `${flag} ${JSON.stringify(given)} is not known.`, {
    hint: `${similar === null ? '' : `Did you mean ${similar}? `}Use one of ${names.join(', ')}.`,
  });
}
