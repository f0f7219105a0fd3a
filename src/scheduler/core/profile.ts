import type { AgentProfile } from '../../config/config.ts';
import type { Issue } from '../../domain/issue.ts';
import { normaliseState } from '../../domain/state-name.ts';

/** What the scheduler knows of an agent that may run an issue. */
export interface Agent {
  /** Null for `agent.default`. */
  readonly profile: string | null;
  readonly runner: string;
  /** 0 turns stall detection off. */
  readonly stallTimeoutMs: number;
  /** Turns of one run; null means no limit. */
  readonly maxTurns: number | null;
  /** Runs at the same time; null means no limit of its own. */
  readonly maxConcurrent: number | null;
}

/** The profiles in the order of the file, and who answers to a label or a state: ranks in that order, ascending. */
export interface Profiles {
  readonly agents: readonly Agent[];
  readonly byLabel: ReadonlyMap<string, readonly number[]>;
  readonly byState: ReadonlyMap<string, readonly number[]>;
  /** Labels that mean something else, such as a state: they ask for nobody. */
  readonly otherLabels: ReadonlySet<string>;
}

export const NO_PROFILES: Profiles = {
  agents: [],
  byLabel: new Map(),
  byState: new Map(),
  otherLabels: new Set(),
};

/** What of an issue decides who runs it. */
export type Routed = Pick<Issue, 'labels' | 'state'>;

export interface AgentChoice {
  readonly agent: Agent;
  /** What chose the profile: `label agent:claude`, `state Rework`; null when nothing did. */
  readonly because: string | null;
  /** What a person should know about the choice. */
  readonly warning: string | null;
}

/** Labels that begin so ask for the profile they name. */
const ASKING = 'agent:';
/** Asks for `agent.default`, whatever the state. */
const ASKING_FOR_DEFAULT = `${ASKING}default`;

/** Who runs an issue: the first profile of its labels, else the first of its state, else the default. */
export function chooseAgent({ labels, state }: Routed, profiles: Profiles, byDefault: Agent): AgentChoice {
  const byLabel = new Map<number, string>();
  const unknown: string[] = [];
  let asksForDefault = false;
  for (const written of labels) {
    const label = written.trim().toLowerCase();
    const ranks = profiles.byLabel.get(label);
    for (const rank of ranks ?? []) if (!byLabel.has(rank)) byLabel.set(rank, label);
    if (ranks !== undefined || !label.startsWith(ASKING) || profiles.otherLabels.has(label)) continue;
    if (label === ASKING_FOR_DEFAULT) asksForDefault = true;
    else unknown.push(label);
  }
  const ranks = [...byLabel.keys()].sort((a, b) => a - b);
  const [rank] = ranks;
  const chosen = rank === undefined ? undefined : profiles.agents[rank];
  if (rank !== undefined && chosen !== undefined) {
    const warning = warnOfLabels(profiles, ranks, asksForDefault, unknown);
    return { agent: chosen, because: `label ${byLabel.get(rank)}`, warning };
  }
  if (asksForDefault)
    return {
      agent: byDefault,
      because: `label ${ASKING_FOR_DEFAULT}`,
      warning: warnOfUnknown(profiles, unknown),
    };
  const [stateRank] = profiles.byState.get(normaliseState(state)) ?? [];
  const ofState = stateRank === undefined ? undefined : profiles.agents[stateRank];
  const warning = warnOfUnknown(profiles, unknown);
  if (ofState !== undefined) return { agent: ofState, because: `state ${state.trim()}`, warning };
  return { agent: byDefault, because: null, warning };
}

function warnOfLabels(
  profiles: Profiles,
  ranks: readonly number[],
  asksForDefault: boolean,
  unknown: readonly string[],
): string | null {
  const names = ranks.flatMap((rank) => profiles.agents[rank]?.profile ?? []);
  if (asksForDefault) names.push('default');
  const [first] = names;
  const several =
    names.length > 1
      ? `labels choose the profiles ${names.join(', ')}; ${first} comes first in agent.profiles`
      : null;
  const others = warnOfUnknown(profiles, unknown);
  return several !== null && others !== null ? `${several}; ${others}` : (several ?? others);
}

function warnOfUnknown({ agents }: Profiles, unknown: readonly string[]): string | null {
  const [first, ...more] = unknown;
  if (first === undefined) return null;
  const labels = more.length === 0 ? `label ${first} chooses` : `labels ${unknown.join(', ')} choose`;
  const known = agents.map(({ profile }) => profile).slice(0, 10);
  const list = agents.length > known.length ? `${known.join(', ')}, …` : known.join(', ');
  return `${labels} no profile (${agents.length === 0 ? 'agent.profiles is empty' : `there are ${list}`})`;
}

/** An agent for people: `claude: profile careful (state Rework)`, or just `mock`. */
export function describeChoice({ agent, because }: AgentChoice): string {
  const why = because === null ? '' : ` (${because})`;
  return agent.profile === null ? `${agent.runner}${why}` : `${agent.runner}: profile ${agent.profile}${why}`;
}

/** Why this agent, and what is odd about it, in one line; null when there is nothing to say. */
export function describeReason({
  because,
  warning,
}: Pick<AgentChoice, 'because' | 'warning'>): string | null {
  return because !== null && warning !== null ? `${because}; ${warning}` : (because ?? warning);
}

type ProfileRules = Pick<AgentProfile, 'name' | 'labels' | 'states' | 'maxTurns' | 'maxConcurrentAgents'> & {
  readonly agent: Pick<AgentProfile['agent'], 'kind' | 'timeouts'>;
};

/** Prepared for quick lookup: a listing may have thousands of issues. */
export function indexProfiles(
  profiles: readonly ProfileRules[],
  otherLabels: readonly string[] = [],
): Profiles {
  const index = (rule: 'labels' | 'states'): Map<string, number[]> => {
    const ranks = new Map<string, number[]>();
    profiles.forEach((profile, rank) => {
      for (const value of profile[rule]) ranks.set(value, [...(ranks.get(value) ?? []), rank]);
    });
    return ranks;
  };
  return {
    agents: profiles.map((profile) => ({
      profile: profile.name,
      runner: profile.agent.kind,
      stallTimeoutMs: profile.agent.timeouts.stallMs,
      maxTurns: profile.maxTurns,
      maxConcurrent: profile.maxConcurrentAgents,
    })),
    byLabel: index('labels'),
    byState: index('states'),
    otherLabels: new Set(otherLabels),
  };
}
