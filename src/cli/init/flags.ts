import { nearest } from '../../domain/nearest.ts';
import { AppError } from '../../errors/app-error.ts';
import type { AgentId, TrackerChoice } from './facts.ts';

/** The command line of `aiops init`; what is left out is found out or asked. */
export interface InitFlags {
  readonly path?: string;
  readonly repo?: string;
  readonly branch?: string;
  readonly tracker?: string;
  readonly endpoint?: string;
  readonly project?: string;
  readonly issues?: string;
  readonly readyState?: string;
  readonly reviewState?: string;
  readonly agent?: string;
  /** False: none, whatever the project's files say. */
  readonly verify?: readonly string[] | false;
  readonly example?: boolean;
  readonly labels?: boolean;
  readonly ghToken?: boolean;
  readonly yes: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly offline: boolean;
}

export const TRACKERS: Readonly<Record<string, TrackerChoice>> = {
  github: 'github',
  gitea: 'gitea',
  forgejo: 'gitea',
  linear: 'linear',
  local: 'local',
};

export const AGENTS: Readonly<Record<string, AgentId>> = {
  codex: 'codex',
  'codex-app-server': 'codex',
  claude: 'claude',
  gemini: 'gemini',
  opencode: 'opencode',
  mock: 'mock',
};

export function parseTracker(given: string | undefined): TrackerChoice | null {
  return given === undefined ? null : lookUp('--tracker', given, TRACKERS);
}

export function parseAgent(given: string | undefined): AgentId | null {
  return given === undefined ? null : lookUp('--agent', given, AGENTS);
}

function lookUp<Value>(flag: string, given: string, table: Readonly<Record<string, Value>>): Value {
  const name = given.trim().toLowerCase();
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(table);
  const similar = nearest(name, names);
  throw new AppError('usage', `${flag} ${JSON.stringify(given)} is not known.`, {
    hint: `${similar === null ? '' : `Did you mean ${similar}? `}Use one of ${names.join(', ')}.`,
  });
}
