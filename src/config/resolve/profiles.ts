import { nearest } from '../../domain/nearest.ts';
import { normaliseState } from '../../domain/state-name.ts';
import type { AgentConfig, AgentProfile, TrackerConfig } from '../config.ts';
import type { ResolvedAgent } from '../kinds.ts';
import { isMap } from '../read/is-map.ts';
import { quote } from '../read/problem.ts';
import { stateNamed } from '../schema/limits-by-state.ts';
import type { WrittenProfile } from '../schema/profiles.ts';
import { resolveTimeout, usualTimeout } from './agent.ts';
import type { AgentSections } from './agent-sections.ts';
import type { Resolution } from './context.ts';
import { reportOverlaps } from './profile-overlaps.ts';

const PROFILES = 'agent.profiles';
/** Also the word that names no profile: the label `agent:default` asks for `agent.default`. */
const RESERVED = 'default';
const NAME = /^[a-z][a-z0-9_-]{0,39}$/i;

/** What a profile has that says nothing else. */
export interface ProfileBase {
  readonly agent: Omit<AgentConfig, 'profiles'>;
  readonly sections: AgentSections;
  readonly tracker: TrackerConfig;
}

export function resolveProfiles(at: Resolution, base: ProfileBase): readonly AgentProfile[] {
  const written = new Map(Object.entries(at.written.agent.profiles));
  const seen = new Map<string, string>();
  const profiles = at.namesUnder(PROFILES).flatMap((name) => {
    const profile = written.get(name);
    if (!isGoodName(at, name, seen)) return [];
    if (profile !== undefined) return [resolveProfile(at, name, profile, base)];
    // A value of the wrong type has been reported already.
    if (!at.has(`${PROFILES}.${name}`)) {
      at.warn(
        `${PROFILES}.${name}`,
        `${PROFILES}.${name} has no value, so there is no such profile`,
        'Write its keys, or `{}` to have all defaults.',
      );
    }
    return [];
  });
  reportOverlaps(at, profiles);
  return profiles;
}

function isGoodName(at: Resolution, name: string, seen: Map<string, string>): boolean {
  const key = `${PROFILES}.${name}`;
  const shown = quote(name);
  const lower = name.toLowerCase();
  const twin = seen.get(lower);
  if (!NAME.test(name)) {
    const hint = 'Use up to 40 letters, digits, - and _, beginning with a letter.';
    at.problem(key, `${PROFILES} has a profile named ${shown}, which no label can name`, hint);
  } else if (lower === RESERVED) {
    at.problem(key, `${key} is not a profile: default means agent.default`, 'Give the profile another name.');
  } else if (twin !== undefined) {
    at.problem(key, `${key} and ${twin} are the same name`, 'Names compare without case: rename one.');
  } else {
    seen.set(lower, key);
    return true;
  }
  return false;
}

function resolveProfile(
  at: Resolution,
  name: string,
  written: WrittenProfile,
  base: ProfileBase,
): AgentProfile {
  const place = `${PROFILES}.${name}`;
  noteSources(at, place, written);
  const kind = written.runner ?? kindNamed(at, name) ?? base.agent.kind;
  const agent = resolveOwnAgent(at, place, kind, written, base.sections);
  const maxTurns = written.max_turns ?? at.written.agent.budgets.run.turns ?? at.written.agent.max_turns;
  checkTurns(at, place, maxTurns, base.agent);
  const usual =
    at.written.agent.timeout === undefined
      ? usualTimeout(at, maxTurns, agent.timeouts.turnMs)
      : base.agent.timeoutMs;
  const labels = written.labels ?? [`agent:${name}`];
  if (labels.length + written.states.length === 0) {
    at.warn(place, `${place} has neither labels nor states, so nothing chooses it`, 'Write one of the two.');
  }
  return {
    name,
    agent,
    labels: [...new Set(labels.map((label) => label.trim().toLowerCase()))],
    states: resolveStates(at, place, written.states, base.tracker),
    maxTurns,
    timeoutMs: resolveTimeout(at, `${place}.timeout`, written.timeout, usual),
    maxConcurrentAgents: written.max_concurrent_agents ?? null,
  };
}

const OWN_KEYS = ['runner', 'labels', 'states', 'max_turns', 'timeout', 'max_concurrent_agents'] as const;

function noteSources(at: Resolution, place: string, written: WrittenProfile): void {
  for (const name of OWN_KEYS) {
    const key = `${place}.${name}`;
    at.from(key, at.has(key) ? 'workflow' : 'default');
  }
  for (const [section, overrides] of overridesIn(at, written))
    for (const name of Object.keys(overrides)) at.from(`${place}.${section}.${name}`, 'workflow');
}

/** What a profile writes into the blocks of agents. */
function overridesIn(
  at: Resolution,
  written: Readonly<Record<string, unknown>>,
): readonly (readonly [section: string, overrides: Readonly<Record<string, unknown>>])[] {
  return [...at.format.agentBlocks.keys()].flatMap((section) => {
    const overrides = written[section];
    return isMap(overrides) ? [[section, overrides] as const] : [];
  });
}

/** A profile named like an agent, or like the block of one, runs that agent. */
function kindNamed({ format }: Resolution, name: string): string | undefined {
  const lower = name.toLowerCase();
  const { agents } = format.kinds;
  const named =
    agents.find(({ kind }) => kind === lower) ??
    agents.find(({ section, block }) => block !== null && section === lower);
  return named?.kind;
}

function resolveOwnAgent(
  at: Resolution,
  place: string,
  kind: string,
  written: WrittenProfile,
  sections: AgentSections,
): ResolvedAgent {
  const own = sections.kindNamed(kind).section;
  const overrides = overridesIn(at, written);
  for (const [section] of overrides) {
    if (section === own) continue;
    const key = `${place}.${section}`;
    at.warn(key, `${key} has no effect: the profile runs ${kind}`, `Set ${place}.runner, or remove it.`);
  }
  const agent = sections.agentOfProfile(kind, place, Object.fromEntries(overrides)[own]);
  sections.checkChosen(agent, `${place}.runner`);
  return agent;
}

/** An issue's turns are limited over all its runs, whichever profile ran them. */
function checkTurns(at: Resolution, place: string, maxTurns: number, agent: ProfileBase['agent']): void {
  const key = `${place}.max_turns`;
  const { turns } = agent.budgets.issue;
  if (!at.has(key) || turns === null || maxTurns <= turns) return;
  at.warn(
    key,
    `${key} is above the ${turns} turns that an issue may use over all its runs`,
    'Raise agent.max_continuation_turns too.',
  );
}

function resolveStates(
  at: Resolution,
  place: string,
  names: readonly string[],
  tracker: TrackerConfig,
): readonly string[] {
  const active = tracker.activeStates.map(normaliseState);
  const states = names.map((name, index) => {
    const state = stateNamed(at, name);
    if (!active.includes(state)) {
      const key = `${place}.states[${index}]`;
      const meant = nearest(name, tracker.activeStates);
      const hint =
        meant === null ? `Active are ${tracker.activeStates.join(', ')}.` : `Did you mean ${meant}?`;
      at.warn(key, `${key} ${quote(name)} is not an active state, so it never chooses the profile`, hint);
    }
    return state;
  });
  return [...new Set(states)];
}
