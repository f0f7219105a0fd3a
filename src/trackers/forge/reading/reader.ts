import type { Clock } from '../../../domain/clock.ts';
import type { Issue, IssueId, RefreshOutcome } from '../../../domain/issue.ts';
import type { Repository } from '../../../domain/repository.ts';
import { includesState } from '../../../domain/state-name.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Tracker } from '../../tracker.ts';
import type { ForgeRecord } from '../record.ts';
import type { LabelStates, StateReading } from '../states/label-states.ts';
import { type BlockerAnswer, createBlockers } from './blockers.ts';
import type { ForgeReads, RecordOutcome } from './forge-reads.ts';
import { createGates } from './gates.ts';
import { listAll } from './list-all.ts';
import { planQueries } from './list-query.ts';
import { type Gate, normaliseIssue, numberOf, OPEN_GATE } from './normalize.ts';
import { createProblemLog, type ProblemLog } from './problem-log.ts';
import { createForgeSurvey } from './survey.ts';

export interface ForgeReaderOptions {
  readonly repository: Repository;
  readonly states: LabelStates;
  readonly reads: ForgeReads;
  readonly identifierPrefix: string;
  /** A login, or `me`; null means anybody. */
  readonly assignee: string | null;
  readonly trust: TrustRules | null;
  readonly logger: Logger;
  readonly clock: Clock;
}

type ForgeReader = Pick<Tracker, 'fetchIssuesByStates' | 'fetchIssuesByIds' | 'survey'>;

/** The two reads of the port, the same for every forge. */
export function createForgeReader(options: ForgeReaderOptions): ForgeReader {
  const issues = new IssueReader(options);
  return {
    fetchIssuesByStates: (wanted, signal, listing = {}) =>
      issues.byStates(wanted, signal, listing.brief ?? false),
    fetchIssuesByIds: (ids, signal) => issues.byIds(ids, signal),
    survey: createForgeSurvey(options),
  };
}

type Normalise = (record: ForgeRecord, state: string, gate: Gate) => Issue;

class IssueReader {
  readonly #options: ForgeReaderOptions;
  readonly #problems: ProblemLog;
  readonly #list: ReturnType<typeof listAll>;
  readonly #gates: ReturnType<typeof createGates>;
  #viewer: Promise<string> | null = null;

  constructor(options: ForgeReaderOptions) {
    const { reads } = options;
    this.#options = options;
    this.#problems = createProblemLog(options.logger);
    this.#list = listAll(reads, this.#problems);
    const blockers = createBlockers({ ...options, source: reads });
    this.#gates = createGates({ ...options, blockers, claims: reads.claims });
  }

  async byStates(wanted: readonly string[], signal: AbortSignal, brief: boolean): Promise<readonly Issue[]> {
    const { states, reads } = this.#options;
    const queries = planQueries(wanted, states);
    if (queries.length === 0) return [];
    reads.beginPoll();
    const normalise = await this.#normaliser(signal);
    const listed = await this.#list(queries, signal);
    const inScope = listed.flatMap(({ record, staleReason }) => {
      const { state } = this.#readState(record);
      return state !== null && includesState(wanted, state) ? [{ record, state, staleReason }] : [];
    });
    const gateOf = await this.#gates.forListing(inScope, signal, brief);
    return inScope
      .map(({ record, state, staleReason }) => {
        const gate = gateOf(record);
        return normalise(record, state, staleReason === null ? gate : { ...gate, reason: staleReason });
      })
      .sort((a, b) => Number(a.id) - Number(b.id));
  }

  async byIds(ids: readonly IssueId[], signal: AbortSignal): Promise<ReadonlyMap<IssueId, RefreshOutcome>> {
    const outcomes = new Map<IssueId, RefreshOutcome>();
    const numbers = new Map<number, IssueId>();
    for (const id of ids) {
      const number = numberOf(id);
      if (number === null)
        outcomes.set(id, { kind: 'unknown', reason: `${id} is not the number of an issue` });
      else numbers.set(number, id);
    }
    if (numbers.size === 0) return outcomes;
    const normalise = await this.#normaliser(signal);
    const found = await this.#options.reads.refresh([...numbers.keys()], signal);
    const gated = await this.#gates.forRefresh(recordsIn(found), signal);
    for (const [number, id] of numbers) {
      const outcome = found.get(number) ?? { kind: 'unknown', reason: 'the forge did not mention it' };
      const gate = gated.get(number) ?? OPEN_GATE;
      outcomes.set(id, outcome.kind === 'record' ? this.#judge(outcome.record, gate, normalise) : outcome);
    }
    return outcomes;
  }

  #judge(record: ForgeRecord, gate: BlockerAnswer, normalise: Normalise): RefreshOutcome {
    const { state, problem, labels } = this.#readState(record);
    if (state === null) {
      // An issue without a label left the flow; one with a label nobody knows may be a typing error.
      return problem === 'missing_state_label'
        ? { kind: 'absent' }
        : { kind: 'unknown', reason: `its label ${labels.join(', ')} stands for no state` };
    }
    if ('unread' in gate) return { kind: 'unknown', reason: gate.unread };
    return { kind: 'current', issue: normalise(record, state, gate) };
  }

  #readState(record: ForgeRecord): StateReading {
    const reading = this.#options.states.read(record);
    this.#problems.labels(record.number, reading);
    return reading;
  }

  async #normaliser(signal: AbortSignal): Promise<Normalise> {
    const { identifierPrefix, assignee: wanted } = this.#options;
    const assignee = wanted === 'me' ? await this.#readViewer(signal) : wanted;
    return (record, state, gate) => normaliseIssue(record, state, gate, { identifierPrefix, assignee });
  }

  /** Read once, and again after a failure. */
  #readViewer(signal: AbortSignal): Promise<string> {
    this.#viewer ??= this.#options.reads.viewer(signal).catch((error: unknown) => {
      this.#viewer = null;
      throw error;
    });
    return this.#viewer;
  }
}

function recordsIn(outcomes: ReadonlyMap<number, RecordOutcome>): readonly ForgeRecord[] {
  return [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'record' ? [outcome.record] : []));
}
