import type { Orchestrator } from '../../../src/orchestrator/orchestrator.ts';
import type { Claim, SchedulerState } from '../../../src/scheduler/core/state.ts';
import { explainWaiting } from '../../../src/scheduler/explain/explain.ts';

/**
 * Everything a worker can be found in that its API shows differently. A test that never got to one of these has
 * proved nothing about it.
 */
export const EVERYTHING: readonly string[] = [
  ...[
    'before the start',
    'no poll yet',
    'poll ok',
    'poll failed',
    'tick idle',
    'tick refreshing',
    'tick listing',
  ],
  ...['paused', 'preflight failed', 'draining', 'intake closed', 'restarted', 'cleaning', 'held', 'checking'],
  ...['running: preparing', 'running: in a session', 'running: with a profile'],
  ...['first', 'continuation', 'failure', 'quota_backoff'].map((kind) => `running: ${kind} run`),
  ...['terminal', 'inactive', 'unroutable', 'missing', 'stalled', 'budget', 'operator', 'shutdown'].map(
    (kind) => `stopping: ${kind}`,
  ),
  ...['ask', 'operator', 'continuation_budget', 'budget_exceeded', 'no_progress'].map(
    (method) => `blocked: ${method}`,
  ),
  'blocked: with a question',
  ...['continuation', 'failure', 'quota_backoff', 'due', 'answered', 'with an error'].map(
    (what) => `retrying: ${what}`,
  ),
  ...['slot', 'slot of its state', 'slot of its profile', 'pause', 'preflight', 'shutdown', 'one poll'].map(
    (what) => `waiting: ${what}`,
  ),
  ...[
    'budget of the day',
    'budget of the worker',
    'label',
    'tracker',
    'incomplete',
    'removal',
    'latched stop',
  ].map((what) => `waiting: ${what}`),
  ...['delivered', 'progressed', 'no_progress', 'failed', 'timed_out', 'stalled', 'canceled', 'blocked'].map(
    (kind) => `ended: ${kind}`,
  ),
  ...['noted', 'latched', 'suppressed'].map((what) => `operator stop: ${what}`),
];

const WAITING: readonly (readonly [RegExp, string])[] = [
  [/^waiting for a slot \(/, 'slot'],
  [/^waiting for a slot in /, 'slot of its state'],
  [/^waiting for a slot of profile /, 'slot of its profile'],
  [/^paused$/, 'pause'],
  [/^dispatch is off: /, 'preflight'],
  [/shutting down$/, 'shutdown'],
  [/one poll only$/, 'one poll'],
  [/the budget of the day /, 'budget of the day'],
  [/the budget of the worker/, 'budget of the worker'],
  [/^missing label /, 'label'],
  [/^blocked by /, 'tracker'],
  [/^the issue has no /, 'incomplete'],
  [/^its workspace is being removed$/, 'removal'],
  [/^stopped by a person, then reopened/, 'latched stop'],
  [/^about to start$/, 'nothing'],
];

/** What this worker is in at the moment, by the names above. */
export function featuresOf({ state, workflow, history, ready }: Orchestrator, now: number): Set<string> {
  const found = new Set(featuresOfState(state));
  if (!ready) found.add('before the start');
  if (workflow.settings.preflightErrors.length > 0) found.add('preflight failed');
  for (const claim of state.claims.values())
    for (const name of featuresOfClaim(claim, state, now)) found.add(name);
  for (const { reason } of explainWaiting(state, workflow.settings, now)) {
    const name = WAITING.find(([pattern]) => pattern.test(reason))?.[1];
    if (name === undefined) throw new Error(`a reason to wait without a name here: ${reason}`);
    found.add(`waiting: ${name}`);
  }
  for (const { outcome } of history.runs) found.add(`ended: ${outcome.kind}`);
  return found;
}

function featuresOfState(state: SchedulerState): string[] {
  const stops = [...state.records.values()].flatMap(({ operatorStop }) => operatorStop ?? []);
  const flags: Readonly<Record<string, boolean>> = {
    'no poll yet': state.lastPoll === null,
    'poll ok': state.lastPoll?.ok === true,
    'poll failed': state.lastPoll?.ok === false,
    [`tick ${state.tick.phase}`]: true,
    paused: state.paused,
    draining: state.draining,
    'intake closed': state.intake === 'closed',
    restarted: state.bootId !== 'life1',
    cleaning: state.cleaning.size > 0,
    held: state.held.size > 0,
    'operator stop: noted': stops.some(({ latched }) => !latched),
    'operator stop: latched': stops.some(({ latched }) => latched),
    'operator stop: suppressed': stops.some(({ suppressed }) => suppressed > 0),
  };
  return Object.keys(flags).filter((name) => flags[name] === true);
}

function featuresOfClaim(claim: Claim, state: SchedulerState, now: number): string[] {
  switch (claim.phase) {
    case 'checking':
      return ['checking'];
    case 'blocked':
      return [`blocked: ${claim.method}`, ...(claim.question === null ? [] : ['blocked: with a question'])];
    case 'retrying':
      return [
        `retrying: ${claim.kind}`,
        ...(claim.dueAt <= now ? ['retrying: due'] : []),
        ...(claim.answer === null ? [] : ['retrying: answered']),
        ...(claim.error === null ? [] : ['retrying: with an error']),
      ];
    case 'running': {
      const run = state.live.get(claim.runId);
      if (run === undefined) return [];
      return [
        run.sessionId === null ? 'running: preparing' : 'running: in a session',
        `running: ${run.retryKind ?? 'first'} run`,
        ...(run.agent.profile === null ? [] : ['running: with a profile']),
        ...(run.stopping === null ? [] : [`stopping: ${run.stopping.kind}`]),
      ];
    }
  }
}
