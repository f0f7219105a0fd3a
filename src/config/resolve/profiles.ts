import { nearest } from '../../domain/nearest.ts';
import { normaliseState } from '../../domain/state-name.ts';
import type { AgentConfig, AgentProfile, Config, TrackerConfig } from '../config.ts';
import { quote } from '../read/problem.ts';
import { AGENT_KINDS, type AgentKind, BLOCK_OF, type BlockName } from '../schema/agent-kinds.ts';
import type { WrittenProfile } from '../schema/profiles.ts';
import { resolveTimeout, stateNamed, usualTimeout } from './agent.ts';
import { profileBlock } from './agent-block.ts';
import { checkAcpCommand, resolveAcp, resolveClaude, resolveCodex } from './codex.ts';
import type { Resolution } from './context.ts';
import { reportOverlaps } from './profile-overlaps.ts';

const PROFILES = 'agent.profiles';
/** Also the word that names no profile: the label `agent:default` asks for `agent.default`. */
const RESERVED = 'default';
const NAME = /^[a-z][a-z0-9_-]{0,39}$/i;

/** What a profile has that says nothing else. */
export type ProfileBase = Pick<Config, 'codex' | 'claude' | 'acp' | 'tracker'> & {
  readonly agent: Omit<AgentConfig, 'profiles'>;
};

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
  const runner = written.runner ?? runnerNamed(name) ?? base.agent.default;
  const { codex, claude, acp } = resolveBlocks(at, place, runner, written, base);
  const maxTurns = written.max_turns ?? base.agent.maxTurns;
  checkTurns(at, place, maxTurns, base.agent);
  const turnTimeoutMs = { codex, claude, acp }[BLOCK_OF[runner]].turnTimeoutMs;
  const usual =
    at.written.agent.timeout === undefined ? usualTimeout(at, maxTurns, turnTimeoutMs) : base.agent.timeoutMs;
  const labels = written.labels ?? [`agent:${name}`];
  if (labels.length + written.states.length === 0) {
    at.warn(place, `${place} has neither labels nor states, so nothing chooses it`, 'Write one of the two.');
  }
  return {
    name,
    runner,
    labels: [...new Set(labels.map((label) => label.trim().toLowerCase()))],
    states: resolveStates(at, place, written.states, base.tracker),
    maxTurns,
    timeoutMs: resolveTimeout(at, `${place}.timeout`, written.timeout, usual),
    maxConcurrentAgents: written.max_concurrent_agents ?? null,
    codex,
    claude,
    acp,
  };
}

const OWN_KEYS = ['runner', 'labels', 'states', 'max_turns', 'timeout', 'max_concurrent_agents'] as const;

function noteSources(at: Resolution, place: string, { codex, claude, acp }: WrittenProfile): void {
  for (const name of OWN_KEYS) {
    const key = `${place}.${name}`;
    at.from(key, at.has(key) ? 'workflow' : 'default');
  }
  for (const [block, keys] of Object.entries({ codex, claude, acp }))
    for (const name of Object.keys(keys ?? {})) at.from(`${place}.${block}.${name}`, 'workflow');
}

/** A profile named like an agent runs that agent. */
function runnerNamed(name: string): AgentKind | undefined {
  const lower = name.toLowerCase();
  return lower === 'codex' ? 'codex-app-server' : AGENT_KINDS.find((kind) => kind === lower);
}

function resolveBlocks(
  at: Resolution,
  place: string,
  runner: AgentKind,
  written: WrittenProfile,
  base: ProfileBase,
): Pick<AgentProfile, BlockName> {
  const read = BLOCK_OF[runner];
  for (const block of ['codex', 'claude', 'acp'] as const) {
    if (block === read || written[block] === undefined) continue;
    const key = `${place}.${block}`;
    at.warn(key, `${key} has no effect: the profile runs ${runner}`, `Set ${place}.runner, or remove it.`);
  }
  const { codex, claude, acp } = base;
  if (read === 'codex')
    return { codex: resolveCodex(at, profileBlock(at, 'codex', place, written.codex)), claude, acp };
  if (read === 'claude')
    return { codex, claude: resolveClaude(at, profileBlock(at, 'claude', place, written.claude)), acp };
  const own = resolveAcp(at, profileBlock(at, 'acp', place, written.acp));
  checkAcpCommand(at, `${place}.runner`, own);
  return { codex, claude, acp: own };
}

/** An issue's turns are limited over all its runs, whichever profile ran them. */
function checkTurns(at: Resolution, place: string, maxTurns: number, agent: ProfileBase['agent']): void {
  const key = `${place}.max_turns`;
  if (!at.has(key) || maxTurns <= agent.maxContinuationTurns) return;
  at.warn(
    key,
    `${key} is above the ${agent.maxContinuationTurns} turns that an issue may use over all its runs`,
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
    const state = stateNamed(name, tracker);
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
