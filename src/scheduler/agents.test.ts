import { describe, expect, it } from 'vitest';
import { current, makeIssue, makeProfiles, SchedulerFixture } from '../../test/fakes/scheduler-fixture.ts';
import type { AgentEvent } from '../domain/agent-event.ts';
import type { StartRun } from '../domain/start-run.ts';
import type { SchedulerSettings } from './core/settings.ts';

const profiles = makeProfiles({
  claude: { maxTurns: 3, maxConcurrentAgents: 1, stallTimeoutMs: 1_000 },
  careful: { runner: 'mock', labels: ['risky'], states: ['in progress'], stallTimeoutMs: 0 },
});
const a = makeIssue('a');
const viaClaude = makeIssue('a', { labels: ['agent:claude'] });

const driverWith = (fields: Partial<SchedulerSettings> = {}): SchedulerFixture =>
  new SchedulerFixture({ profiles, stallTimeoutMs: 60_000, ...fields });

const session = (sessionId: string): AgentEvent => ({
  type: 'session_started',
  sessionId,
  resumed: false,
  pid: 1,
  model: null,
});

function startOf(fixture: SchedulerFixture): StartRun {
  const [start] = fixture.sent('start_run');
  if (start === undefined) throw new Error('no run was started');
  return start.run;
}

/** Ends the run cleanly and lets its continuation start, with the issue as the tracker shows it by then. */
function continueWith(fixture: SchedulerFixture, issue = a): StartRun {
  fixture.end('a', { kind: 'completed' }, 1, { newCommits: 1 }).advance(1_000);
  fixture.send({ type: 'timer_fired', key: 'retry:a' });
  return startOf(fixture.refresh({ a: current(issue) }));
}

describe('the agent of a run', () => {
  it('is the one its label or state chooses, with its turns', () => {
    expect(startOf(driverWith().start().list(a))).toMatchObject({ profile: null, maxTurns: 5 });
    expect(startOf(driverWith().start().list(viaClaude))).toMatchObject({ profile: 'claude', maxTurns: 3 });
    const inProgress = makeIssue('a', { state: 'In Progress' });
    expect(startOf(driverWith().start().list(inProgress))).toMatchObject({ profile: 'careful' });
  });

  it('is told in the events, with a warning when labels ask for what cannot be', () => {
    const fixture = driverWith().start().list(viaClaude);
    expect(fixture.published('running')).toEqual([
      'first run started with claude: profile claude (label agent:claude)',
    ]);
    expect(fixture.published('agent_choice')).toEqual([]);
    const odd = driverWith()
      .start()
      .list(makeIssue('a', { labels: ['agent:gpt'] }));
    expect(odd.published('running')).toEqual(['first run started']);
    expect(odd.published('agent_choice')).toEqual([
      'label agent:gpt chooses no profile (there are claude, careful); mock runs',
    ]);
    expect(odd.run('a').agentReason).toContain('chooses no profile');
  });

  it('stays the same while the run lives, whatever happens to labels and profiles', () => {
    const fixture = driverWith().start().list(viaClaude).agent('a', session('s1'));
    fixture.settings = { ...fixture.settings, profiles: makeProfiles({}) };
    fixture.poll([a], []).agent('a', session('s2'));
    expect(fixture.run('a').agent).toMatchObject({ profile: 'claude', runner: 'claude' });
    expect(fixture.state.records.get('a')?.session).toEqual({
      runner: 'claude',
      profile: 'claude',
      sessionId: 's2',
    });
  });

  it('goes on with a conversation of its own, and only with that', () => {
    const fixture = driverWith().start().list(viaClaude).agent('a', session('s1'));
    expect(continueWith(fixture, viaClaude)).toMatchObject({ profile: 'claude', resumeSessionId: 's1' });
    fixture.agent('a', session('s1'));
    expect(continueWith(fixture)).toMatchObject({ profile: null, resumeSessionId: null });
    expect(fixture.published('running')).toEqual([
      'continuation run (attempt 1) started, in a new session: the last one was of claude (profile claude)',
    ]);
    fixture.agent('a', session('s3'));
    expect(continueWith(fixture)).toMatchObject({ resumeSessionId: 's3' });
  });

  it('is not handed the conversation of another profile of the same kind, nor one of another kind', () => {
    const fixture = driverWith().start().list(a).agent('a', session('s1'));
    const risky = makeIssue('a', { labels: ['risky'] });
    expect(continueWith(fixture, risky)).toMatchObject({ profile: 'careful', resumeSessionId: null });
    fixture.agent('a', session('s2'));
    fixture.settings = {
      ...fixture.settings,
      profiles: makeProfiles({ careful: { runner: 'claude', labels: ['risky'] } }),
    };
    expect(continueWith(fixture, risky)).toMatchObject({ profile: 'careful', resumeSessionId: null });
  });

  it('has its own patience: stalls are judged by the profile as it is now', () => {
    const silent = (issue = a): SchedulerFixture => {
      const fixture = driverWith().start().list(issue).agent(issue.id, session('s'));
      return fixture.advance(2_000).send({ type: 'poll_requested' });
    };
    expect(silent(viaClaude).sent('stop_run')).toMatchObject([{ reason: { kind: 'stalled' } }]);
    expect(silent().sent('stop_run')).toEqual([]);
    const never = driverWith()
      .start()
      .list(makeIssue('a', { labels: ['risky'] }))
      .agent('a', session('s'));
    expect(never.advance(10_000_000).send({ type: 'poll_requested' }).sent('stop_run')).toEqual([]);
    const patient = driverWith().start().list(viaClaude).agent('a', session('s'));
    patient.settings = { ...patient.settings, profiles: makeProfiles({ claude: { stallTimeoutMs: 5_000 } }) };
    expect(patient.advance(2_000).send({ type: 'poll_requested' }).sent('stop_run')).toEqual([]);
    patient.settings = { ...patient.settings, profiles: makeProfiles({}) };
    patient.refresh({ a: current(viaClaude) }).list();
    expect(patient.send({ type: 'poll_requested' }).sent('stop_run')).toHaveLength(1);
  });

  it('waits for a slot of its profile without holding up others', () => {
    const b = makeIssue('b', { labels: ['agent:claude'] });
    const c = makeIssue('c');
    const fixture = driverWith({ maxConcurrentAgents: 3 }).start().list(viaClaude, b, c);
    expect(fixture.started).toEqual(['a', 'c']);
    fixture.end('a', { kind: 'stopped', reason: { kind: 'missing' } });
    expect(fixture.phase('b')).toBe('checking');
  });

  it('is looked up again when the label changed while the issue was checked', () => {
    const b = makeIssue('b', { labels: ['agent:claude'] });
    const fixture = driverWith({ maxConcurrentAgents: 3 }).start().list(viaClaude);
    fixture.poll([viaClaude], [viaClaude, b]);
    expect(fixture.started).toEqual([]);
    fixture.poll([viaClaude], [viaClaude, makeIssue('b')]);
    expect(startOf(fixture)).toMatchObject({ profile: null });
  });
});
