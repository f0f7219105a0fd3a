import type { AgentProfile } from '../../src/config/config.ts';
import type { OperatorAction } from '../../src/contract/actions.ts';
import type { AgentEvent } from '../../src/domain/agent-event.ts';
import type { Issue, RefreshOutcome } from '../../src/domain/issue.ts';
import type { RunEvent } from '../../src/domain/run-event.ts';
import { NO_EVIDENCE, type RunEnd, type RunEvidence } from '../../src/domain/run-outcome.ts';
import type { BudgetScope } from '../../src/domain/spend.ts';
import { LiveActivity } from '../../src/orchestrator/runs/live-activity.ts';
import type { Command } from '../../src/scheduler/core/commands.ts';
import { isRunFact, type SchedulerEvent } from '../../src/scheduler/core/events.ts';
import { initialState } from '../../src/scheduler/core/initial-state.ts';
import { indexProfiles, NO_PROFILES, type Profiles } from '../../src/scheduler/core/profile.ts';
import type { Limits, SchedulerSettings } from '../../src/scheduler/core/settings.ts';
import type { IssueRecord, LiveRun, SchedulerState } from '../../src/scheduler/core/state.ts';
import { type ActionAnswer, decideAction } from '../../src/scheduler/phases/operator-actions.ts';
import { transition } from '../../src/scheduler/transition.ts';

export function makeIssue(id: string, fields: Partial<Issue> = {}): Issue {
  return {
    id,
    identifier: id.toUpperCase(),
    title: `Title of ${id}`,
    description: null,
    priority: null,
    state: 'Todo',
    branchName: null,
    url: null,
    assigneeId: null,
    author: null,
    labels: [],
    blockedBy: [],
    dispatchable: true,
    undispatchableReason: null,
    createdAt: null,
    updatedAt: null,
    nativeRef: null,
    ...fields,
  };
}

const UNLIMITED: Limits = { turns: null, tokens: null, usd: null, runtimeMs: null };

/** Five turns a run and twenty an issue unless told otherwise. */
export function makeBudgets(
  limits: Partial<Record<BudgetScope, Partial<Limits>>> = {},
): SchedulerSettings['budgets'] {
  return {
    run: { ...UNLIMITED, turns: 5, ...limits.run },
    issue: { ...UNLIMITED, turns: 20, ...limits.issue },
    day: { ...UNLIMITED, ...limits.day },
    worker: { ...UNLIMITED, ...limits.worker },
  };
}

/** Profiles by name; without labels and states each answers to `agent:NAME`. */
export function makeProfiles(
  profiles: Readonly<
    Record<string, Partial<Omit<AgentProfile, 'name'>> & { runner?: string; stallTimeoutMs?: number }>
  >,
): Profiles {
  const rules = Object.entries(profiles).map(
    ([name, { runner = 'claude', stallTimeoutMs = 300_000, ...fields }]) => ({
      name,
      agent: { kind: runner, timeouts: { turnMs: 3_600_000, stallMs: stallTimeoutMs } },
      labels: [`agent:${name}`],
      states: [],
      maxTurns: 5,
      maxConcurrentAgents: null,
      ...fields,
    }),
  );
  return indexProfiles(rules);
}

export function makeSettings(fields: Partial<SchedulerSettings> = {}): SchedulerSettings {
  return {
    pollIntervalMs: 30_000,
    activeStates: ['Todo', 'In Progress'],
    activeSet: new Set(['todo', 'in progress']),
    terminalSet: new Set(['done', 'canceled']),
    requiredLabels: [],
    trust: null,
    maxConcurrentAgents: 2,
    maxConcurrentByState: new Map(),
    budgets: makeBudgets(),
    maxRetryBackoffMs: 300_000,
    stallTimeoutMs: 300_000,
    noProgressRuns: 3,
    runner: 'mock',
    profiles: NO_PROFILES,
    pushBy: 'worker',
    preflightErrors: [],
    ...fields,
  };
}

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;

/** Drives the pure scheduler by hand: events in, commands out, a clock that moves only when told. */
export class SchedulerFixture {
  state: SchedulerState = initialState('t');
  settings: SchedulerSettings;
  now = 1_000_000;
  /** What the live runs reported, for display. */
  readonly activity = new LiveActivity();
  /** Commands of the last event. */
  commands: readonly Command[] = [];

  constructor(settings: Partial<SchedulerSettings> = {}) {
    this.settings = makeSettings(settings);
  }

  send(event: SchedulerEvent): this {
    [this.state, this.commands] = transition(this.state, event, this.now, this.settings);
    return this;
  }

  act(action: OperatorAction): this {
    return this.send({ type: 'operator', action });
  }

  /** What an operator would be told, without doing it. */
  answer(action: OperatorAction): ActionAnswer {
    const name = 'issue' in action ? action.issue.toUpperCase() : '';
    return decideAction(this.state, action, name, this.now, this.settings);
  }

  advance(ms: number): this {
    this.now += ms;
    return this;
  }

  start(records: readonly IssueRecord[] = []): this {
    return this.send({ type: 'started', records, workspaces: [] });
  }

  /** Answers the listing of the poll under way. */
  list(...issues: readonly Issue[]): this {
    return this.send({ type: 'candidates_listed', issues });
  }

  /** Answers the newest refresh under way with these outcomes. */
  refresh(outcomes: Readonly<Record<string, RefreshOutcome>>): this {
    const requestId = [...this.state.pending.keys()].at(-1);
    if (requestId === undefined) throw new Error('no refresh is under way');
    return this.send({ type: 'issues_refreshed', requestId, outcomes: new Map(Object.entries(outcomes)) });
  }

  /** As `refresh`; an issue that is said to be gone is gone also when it is asked for once more. */
  insist(outcomes: Readonly<Record<string, RefreshOutcome>>): this {
    this.refresh(outcomes);
    for (const { requestId, ids } of this.sent('refresh_issues')) {
      if (!ids.every((id) => outcomes[id]?.kind === 'absent')) continue;
      this.send({ type: 'issues_refreshed', requestId, outcomes: new Map(Object.entries(outcomes)) });
    }
    return this;
  }

  failRefresh(message = 'tracker down'): this {
    const requestId = [...this.state.pending.keys()].at(-1);
    if (requestId === undefined) throw new Error('no refresh is under way');
    return this.send({ type: 'refresh_failed', requestId, failure: { message, retryAfterMs: null } });
  }

  /** A poll from its timer to its end: claims are current as given, then the listing. */
  poll(current: readonly Issue[], listed: readonly Issue[] = current): this {
    this.send({ type: 'poll_requested' });
    if (this.state.tick.phase === 'refreshing') {
      this.refresh(
        Object.fromEntries(current.map((issue) => [issue.id, { kind: 'current', issue } as const])),
      );
    }
    return this.list(...listed);
  }

  run(issueId: string): LiveRun {
    const run = [...this.state.live.values()].find((candidate) => candidate.issue.id === issueId);
    if (run === undefined) throw new Error(`${issueId} has no live run`);
    return run;
  }

  event(issueId: string, event: RunEvent): this {
    const { runId } = this.run(issueId);
    this.activity.note(runId, event, this.now);
    const at = this.activity.takeHeard();
    if (isRunFact(event)) return this.send({ type: 'run_fact', runId, fact: event });
    return at === null ? this : this.send({ type: 'agents_heard', at });
  }

  agent(issueId: string, event: AgentEvent): this {
    return this.event(issueId, { type: 'agent', event });
  }

  /** A completed turn whose check sees the issue in this state; a hand-over is then shown this evidence. */
  turn(issueId: string, turn: number, outcome: RefreshOutcome, evidence: Partial<RunEvidence> = {}): this {
    this.agent(issueId, { type: 'turn_started', turn, turnId: null });
    const { runId } = this.run(issueId);
    this.send({ type: 'turn_ended', runId, turn, evidence: null }).insist({ [issueId]: outcome });
    if (this.sent('answer_turn')[0]?.decision.kind !== 'inspect') return this;
    return this.send({ type: 'turn_ended', runId, turn, evidence: { ...NO_EVIDENCE, ...evidence } });
  }

  /** The agent moves its issue through a tool. */
  move(issueId: string, to: string): this {
    const { runId, issue } = this.run(issueId);
    const effect = { kind: 'state_changed', from: issue.state, to } as const;
    return this.send({ type: 'tool_started', runId }).send({ type: 'tool_finished', runId, effect });
  }

  end(
    issueId: string,
    end: RunEnd = { kind: 'completed' },
    turns = 1,
    evidence: Partial<RunEvidence> = {},
  ): this {
    const result = { end, turns, evidence: { ...NO_EVIDENCE, ...evidence } };
    return this.send({ type: 'run_ended', runId: this.run(issueId).runId, result });
  }

  sent<T extends Command['type']>(type: T): CommandOf<T>[] {
    return this.commands.filter((command): command is CommandOf<T> => command.type === type);
  }

  /** Identifiers of the issues whose runs the last event started, in order. */
  get started(): readonly string[] {
    return this.sent('start_run').map(({ run }) => run.issue.id);
  }

  phase(issueId: string): string | null {
    return this.state.claims.get(issueId)?.phase ?? null;
  }

  published(kind: string): readonly string[] {
    return this.sent('publish')
      .filter(({ event }) => event.kind === kind)
      .map(({ event }) => event.message);
  }
}

export const current = (issue: Issue): RefreshOutcome => ({ kind: 'current', issue });
export const absent: RefreshOutcome = { kind: 'absent' };
export const unknown: RefreshOutcome = { kind: 'unknown', reason: 'timeout' };
