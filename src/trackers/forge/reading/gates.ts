import type { Issue } from '../../../domain/issue.ts';
import type { Repository } from '../../../domain/repository.ts';
import { type TrustRules, whyUntrusted } from '../../../domain/trust.ts';
import { messageOf } from '../../../errors/app-error.ts';
import { isNotStarted } from '../../not-started.ts';
import type { BlockerRecord, ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import type { BlockerAnswer, Blockers } from './blockers.ts';
import { endsReading } from './ends-reading.ts';
import type { ForgeReads, PullRequestClaims } from './forge-reads.ts';
import { type Gate, OPEN_GATE } from './normalize.ts';
import { priorityOf } from './priority.ts';

export interface GatesOptions {
  readonly states: LabelStates;
  readonly repository: Repository;
  readonly blockers: Blockers;
  readonly claims: ForgeReads['claims'];
  /** Nothing is looked up about issues that may not run anyway. */
  readonly trust: TrustRules | null;
}

interface InState {
  readonly record: ForgeRecord;
  readonly state: Issue['state'];
}

/** Issues looked into per poll: few enough for any allowance, and every issue gets its turn. */
const MAX_READS_PER_POLL = 20;

/** Decides what holds back issues whose work has not begun: blockers, and open pull requests that would close them. */
export function createGates(options: GatesOptions): {
  /** A brief listing looks into no issue. */
  forListing(
    issues: readonly InState[],
    signal: AbortSignal,
    brief: boolean,
  ): Promise<(record: ForgeRecord) => Gate>;
  forRefresh(
    records: readonly ForgeRecord[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, BlockerAnswer>>;
} {
  const { states, blockers, repository, trust } = options;
  const judgeTrust = (record: ForgeRecord): Gate => ({ ...OPEN_GATE, reason: whyUntrusted(record, trust) });
  const isGated = (record: ForgeRecord, state: string | null): boolean =>
    state !== null && isNotStarted(state, states.active) && judgeTrust(record).reason === null;
  const blockerOf = (record: ForgeRecord): BlockerRecord => ({ ...record, repository });

  return {
    async forListing(issues, signal, brief) {
      const gated = issues.filter(({ record, state }) => isGated(record, state)).map(({ record }) => record);
      if (gated.length === 0) return judgeTrust;
      const [answers, claims] = await Promise.all([
        blockers.answer({
          records: gated.toSorted(byUrgency),
          known: new Map(issues.map(({ record }) => [record.number, blockerOf(record)])),
          maxReads: brief ? 0 : MAX_READS_PER_POLL,
          purpose: 'poll',
          signal,
        }),
        readClaims(options.claims, signal),
      ]);
      return (record) => {
        const answer = answers.get(record.number);
        if (answer === undefined) return judgeTrust(record);
        const gate = 'unread' in answer ? { blockedBy: [], reason: answer.unread } : answer;
        return gate.reason === null ? { ...gate, reason: claims(record.number) } : gate;
      };
    },
    async forRefresh(records, signal) {
      const gated = records.filter((record) => isGated(record, states.read(record).state));
      const known = new Map(records.map((record) => [record.number, blockerOf(record)]));
      const [purpose, maxReads] = ['refresh', gated.length] as const;
      const answers = await blockers.answer({ records: gated, known, maxReads, purpose, signal });
      const untrusted = records.filter((record) => judgeTrust(record).reason !== null);
      return new Map([
        ...answers,
        ...untrusted.map((record) => [record.number, judgeTrust(record)] as const),
      ]);
    },
  };
}

async function readClaims(
  read: ForgeReads['claims'],
  signal: AbortSignal,
): Promise<(number: number) => string | null> {
  if (read === null) return () => null;
  let claims: PullRequestClaims;
  try {
    claims = await read(signal);
  } catch (error) {
    if (endsReading(error, signal)) throw error;
    return () => `the open pull requests could not be read: ${messageOf(error)}`;
  }
  return (number) => {
    const pullRequest = claims.byIssue.get(number);
    if (pullRequest !== undefined) return `claimed by open PR #${pullRequest}`;
    return claims.capped ? 'not all open pull requests were read (tracker.pagination_max_pages)' : null;
  };
}

/** As the scheduler takes them: urgent first, then old. */
function byUrgency(a: ForgeRecord, b: ForgeRecord): number {
  const rank = (record: ForgeRecord): number => priorityOf(record.labels) ?? 5;
  return rank(a) - rank(b) || a.number - b.number;
}
