import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeProfiles } from '../../../test/fakes/scheduler-fixture.ts';
import { type Agent, chooseAgent, describeChoice, NO_PROFILES, type Profiles } from './profile.ts';

const DEFAULT: Agent = {
  profile: null,
  runner: 'codex-app-server',
  stallTimeoutMs: 1,
  maxTurns: 20,
  maxConcurrent: null,
};

const PROFILES = makeProfiles({
  claude: { states: ['rework'] },
  careful: { runner: 'codex-app-server', labels: ['agent:careful', 'risky'], states: ['rework', 'todo'] },
});

function choose(labels: readonly string[], state = 'In Progress', profiles: Profiles = PROFILES) {
  const { agent, because, warning } = chooseAgent({ labels, state }, profiles, DEFAULT);
  return [agent.profile, because, warning];
}

describe('chooseAgent', () => {
  it('is the default where nothing asks for another', () => {
    expect(choose([])).toEqual([null, null, null]);
    expect(choose(['bug', 'agency'], 'Todo', NO_PROFILES)).toEqual([null, null, null]);
  });

  it('goes by the label, then by the state, then by the order of the file', () => {
    expect(choose(['bug', 'agent:careful'])).toEqual(['careful', 'label agent:careful', null]);
    expect(choose(['risky'], 'Rework')).toEqual(['careful', 'label risky', null]);
    expect(choose([], ' REWORK ')).toEqual(['claude', 'state REWORK', null]);
    expect(choose([], 'Todo')).toEqual(['careful', 'state Todo', null]);
  });

  it('says that labels choose several, and takes the first of the file', () => {
    expect(choose(['agent:careful', 'agent:claude'])).toEqual([
      'claude',
      'label agent:claude',
      'labels choose the profiles claude, careful; claude comes first in agent.profiles',
    ]);
    expect(choose(['risky', 'agent:careful'])).toEqual(['careful', 'label risky', null]);
  });

  it('says that a label names no profile, and goes on without it', () => {
    const warning = 'label agent:gpt chooses no profile (there are claude, careful)';
    expect(choose(['agent:gpt'])).toEqual([null, null, warning]);
    expect(choose(['agent:gpt'], 'Todo')).toEqual(['careful', 'state Todo', warning]);
    expect(choose(['agent:gpt', 'agent:claude'])).toEqual(['claude', 'label agent:claude', warning]);
    expect(choose(['agent:a', 'agent:'], 'Todo', NO_PROFILES)).toEqual([
      null,
      null,
      'labels agent:a, agent: choose no profile (agent.profiles is empty)',
    ]);
    expect(choose(['agent:other'], 'Todo', makeProfiles({ other: { labels: ['o'] } }))[2]).toBe(
      'label agent:other chooses no profile (there are other)',
    );
  });

  it('says nothing of labels that mean something else, unless a profile answers to them', () => {
    const other = { ...PROFILES, otherLabels: new Set(['agent:todo', 'agent:claude']) };
    expect(choose(['agent:todo'], 'agent:todo', other)).toEqual([null, null, null]);
    expect(choose(['agent:claude'], 'agent:todo', other)).toEqual(['claude', 'label agent:claude', null]);
  });

  it('takes agent:default for the default, whatever the state', () => {
    expect(choose(['agent:default'], 'Rework')).toEqual([null, 'label agent:default', null]);
    expect(choose(['agent:default', 'agent:claude'])).toEqual([
      'claude',
      'label agent:claude',
      'labels choose the profiles claude, default; claude comes first in agent.profiles',
    ]);
  });

  it('compares without case, and takes odd labels for what they are', () => {
    expect(choose([' Agent:CLAUDE '])[0]).toBe('claude');
    for (const label of ['__proto__', 'constructor', '', 'agent'])
      expect(choose([label])).toEqual(choose([]));
  });

  it('shows at most ten names of two hundred', () => {
    const many = makeProfiles(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, {}])));
    expect(choose(['agent:p199'], 'Todo', many)[0]).toBe('p199');
    expect(choose(['agent:none'], 'Todo', many)[2]).toMatch(/there are p0, .*p9, …\)$/);
  });

  it('is described in a few words', () => {
    const say = (labels: string[]) => describeChoice(chooseAgent({ labels, state: '' }, PROFILES, DEFAULT));
    expect(say([])).toBe('codex-app-server');
    expect(say(['agent:default'])).toBe('codex-app-server (label agent:default)');
    expect(say(['agent:claude'])).toBe('claude: profile claude (label agent:claude)');
  });

  it('has one answer for every issue, whatever the order of its labels', () => {
    const word = fc.constantFrom(
      'agent:a',
      'agent:b',
      'agent:c',
      'agent:default',
      'x',
      'y',
      'z',
      ' ',
      'AGENT:A',
    );
    const state = fc.constantFrom('Todo', 'todo', 'Rework', 'Other', '');
    const rules = fc.record({
      labels: fc.array(fc.constantFrom<string[]>('agent:a', 'agent:b', 'x', 'y'), { maxLength: 3 }),
      states: fc.array(fc.constantFrom<string[]>('todo', 'rework'), { maxLength: 2 }),
    });
    const profiles = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'constructor'), { maxLength: 4 })
      .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), rules))));
    fc.assert(
      fc.property(profiles, fc.array(word, { maxLength: 6 }), state, (written, labels, at) => {
        const known = makeProfiles(Object.fromEntries(written));
        const choice = chooseAgent({ labels, state: at }, known, DEFAULT);
        const again = chooseAgent({ labels: labels.toReversed(), state: at }, known, DEFAULT);
        expect(again.agent).toBe(choice.agent);
        expect([DEFAULT, ...known.agents]).toContain(choice.agent);
        const asked = new Set(labels.map((label) => label.trim().toLowerCase()));
        const byLabel = written.find(([, rule]) => rule.labels.some((label) => asked.has(label)));
        const byState = written.find(([, rule]) => rule.states.includes(at.toLowerCase()));
        const expected = byLabel ?? (asked.has('agent:default') ? undefined : byState);
        expect(choice.agent.profile).toBe(expected?.[0] ?? null);
        const answered = new Set(written.flatMap(([, rule]) => rule.labels));
        const unmet = [...asked].some(
          (label) => label.startsWith('agent:') && label !== 'agent:default' && !answered.has(label),
        );
        if (unmet) expect(choice.warning).toContain('no profile');
      }),
      { numRuns: 500 },
    );
  });
});
