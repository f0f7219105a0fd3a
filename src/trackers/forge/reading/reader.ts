import type { Clock } from '../../../domain/clock.ts';
import type { Issue, IssueId, RefreshOutcome } from '../../../domain/issue.ts';
import type { Repository } from '../../../domain/repository.ts';
import { includesState } from '../../../domain/state-name.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { ListingOptions, Tracker } from '../../tracker.ts';
import type { ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import { createBlockers } from './blockers.ts';
import type { ForgeReads, RecordOutcome } from './forge-reads.ts';
import { createGates } from './gates.ts';
import { listAll } from './list-all.ts';
import { planQueries } from './list-query.ts';
import { type Gate, normaliseIssue, numberOf, OPEN_GATE } from './normalize.ts';
import { createProblemLog } from './problem-log.ts';
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
  const { states, reads, logger } = options;
  const problems = createProblemLog(logger);
  const lister = listAll(reads, problems);
  const blockers = createBlockers({ ...options, source: reads });
  const gates = createGates({ ...options, blockers, claims: reads.claims });
  let viewer: Promise<string> | null = null;

  async function normaliser(
    signal: AbortSignal,
  ): Promise<(record: ForgeRecord, state: string, gate: Gate) => Issue> {
    const { identifierPrefix, assignee: wanted } = options;
    if (wanted === 'me') {
      viewer ??= reads.viewer(signal);
      viewer.catch(() => {
        viewer = null;
      });
    }
    const assignee = wanted === 'me' && viewer !== null ? await viewer : wanted;
    return (record, state, gate) => normaliseIssue(record, state, gate, { identifierPrefix, assignee });
  }

  async function fetchIssuesByStates(
    wanted: readonly string[],
    signal: AbortSignal,
    listing: ListingOptions = {},
  ): Promise<readonly Issue[]> {
    const queries = planQueries(wanted, states);
    if (queries.length === 0) return [];
    reads.beginPoll();
    const normalise = await normaliser(signal);
    const listed = await lister(queries, signal);
    const inScope = listed.flatMap(({ record, staleReason }) => {
      const reading = states.read(record);
      problems.labels(record.number, reading);
      const { state } = reading;
      return state !== null && includesState(wanted, state) ? [{ record, state, staleReason }] : [];
    });
    const gateOf = await gates.forListing(inScope, signal, listing.brief ?? false);
    return inScope
      .map(({ record, state, staleReason }) => {
        const gate = gateOf(record);
        return normalise(record, state, staleReason === null ? gate : { ...gate, reason: staleReason });
      })
      .sort((a, b) => Number(a.id) - Number(b.id));
  }

  async function fetchIssuesByIds(
    ids: readonly IssueId[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<IssueId, RefreshOutcome>> {
    const outcomes = new Map<IssueId, RefreshOutcome>();
    const numbers = new Map<number, IssueId>();
    for (const id of ids) {
      const number = numberOf(id);
      if (number === null)
        outcomes.set(id, { kind: 'unknown', reason: `${id} is not the number of an issue` });
      else numbers.set(number, id);
    }
    if (numbers.size === 0) return outcomes;
    const normalise = await normaliser(signal);
    const found = await reads.refresh([...numbers.keys()], signal);
    const gated = await gates.forRefresh(recordsIn(found), signal);
    for (const [number, id] of numbers) {
      const outcome = found.get(number) ?? { kind: 'unknown', reason: 'the forge did not mention it' };
      outcomes.set(id, outcome.kind === 'record' ? judge(outcome.record) : outcome);
    }
    return outcomes;

    function judge(record: ForgeRecord): RefreshOutcome {
      const reading = states.read(record);
      problems.labels(record.number, reading);
      if (reading.state === null) {
        // An issue without a label left the flow; one with a label nobody knows may be a typing error.
        return reading.problem === 'missing_state_label'
          ? { kind: 'absent' }
          : { kind: 'unknown', reason: `its label ${reading.labels.join(', ')} stands for no state` };
      }
      const gate = gated.get(record.number) ?? OPEN_GATE;
      if ('unread' in gate) return { kind: 'unknown', reason: gate.unread };
      return { kind: 'current', issue: normalise(record, reading.state, gate) };
    }
  }

  return { fetchIssuesByStates, fetchIssuesByIds, survey: createForgeSurvey(options) };
}

function recordsIn(outcomes: ReadonlyMap<number, RecordOutcome>): readonly ForgeRecord[] {
  return [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'record' ? [outcome.record] : []));
}
