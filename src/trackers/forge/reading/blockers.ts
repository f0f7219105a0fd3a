import type { Clock } from '../../../domain/clock.ts';
import type { BlockerRef } from '../../../domain/issue.ts';
import { waitingReferences } from '../../../domain/issue-references.ts';
import { type Repository, repositoryKey, sameRepository } from '../../../domain/repository.ts';
import { includesState } from '../../../domain/state-name.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import type { Purpose } from '../../../http/budget/governor.ts';
import type { BlockerRecord, ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import type { Gate } from './normalize.ts';

export interface BlockerSource {
  /** Null when the forge or the repository has no dependencies. */
  dependencies(
    number: number,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<readonly BlockerRecord[] | null>;
  /** Null when there is no such issue. */
  issue(number: number, purpose: Purpose, signal: AbortSignal): Promise<BlockerRecord | null>;
}

export interface BlockersOptions {
  readonly repository: Repository;
  readonly states: LabelStates;
  readonly source: BlockerSource;
  readonly identifierPrefix: string;
  readonly clock: Clock;
}

export interface BlockerQuestion {
  /** Issues to gate, best first. */
  readonly records: readonly ForgeRecord[];
  /** What is known at this moment without asking. */
  readonly known: ReadonlyMap<number, BlockerRecord>;
  /** Issues that may be looked into; the rest keep what was last learnt. */
  readonly maxReads: number;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
}

/** What an issue waits for; a text says why that is not known. */
export type BlockerAnswer = Gate | { readonly unread: string };

export interface Blockers {
  answer(question: BlockerQuestion): Promise<ReadonlyMap<number, BlockerAnswer>>;
}

interface Memory {
  readonly version: string;
  readonly at: number;
  readonly answer: BlockerAnswer;
}

const UNREAD: BlockerAnswer = {
  unread: 'its blockers have not been read yet; that happens when a slot is free',
};
const MAX_MEMORIES = 5_000;
/** How long a repository without dependencies is believed to have none. */
const UNSUPPORTED_FOR_MS = 600_000;

/**
 * Looks up what issues wait for, a bounded number per poll. An issue without dependencies and references is remembered
 * until it changes; one that waits is looked at again, the longest unseen first.
 */
export function createBlockers(options: BlockersOptions): Blockers {
  const { clock, repository, source } = options;
  const memories = new Map<number, Memory>();
  let unsupportedUntil = 0;

  function remembered(record: ForgeRecord): BlockerAnswer | null {
    if (isFree(record)) return { blockedBy: [], reason: null };
    const memory = memories.get(record.number);
    if (memory?.version !== versionOf(record)) return null;
    const settled = 'blockedBy' in memory.answer && memory.answer.blockedBy.length === 0;
    return settled ? memory.answer : null;
  }

  function isFree(record: ForgeRecord): boolean {
    const noDependencies = record.openBlockers === 0 || clock.elapsed() < unsupportedUntil;
    return noDependencies && references(record).length === 0;
  }

  function references(record: ForgeRecord): number[] {
    const numbers = waitingReferences(record.body ?? '', repository);
    return [...numbers].filter((number) => number !== record.number);
  }

  async function dependencies(
    record: ForgeRecord,
    question: BlockerQuestion,
  ): Promise<readonly BlockerRecord[]> {
    if (record.openBlockers === 0 || clock.elapsed() < unsupportedUntil) return [];
    const found = await source.dependencies(record.number, question.purpose, question.signal);
    if (found === null) unsupportedUntil = clock.elapsed() + UNSUPPORTED_FOR_MS;
    return found ?? [];
  }

  async function look(
    record: ForgeRecord,
    question: BlockerQuestion,
    seen: Map<number, BlockerRecord | null>,
  ): Promise<BlockerAnswer> {
    const blockers = new Map<string, BlockerRecord>();
    for (const blocker of await dependencies(record, question)) blockers.set(keyOf(blocker), blocker);
    for (const number of references(record)) {
      let blocker = question.known.get(number) ?? seen.get(number);
      if (blocker === undefined) {
        blocker = await source.issue(number, question.purpose, question.signal);
        seen.set(number, blocker);
      }
      if (blocker !== null) blockers.set(keyOf(blocker), blocker);
    }
    return gateOf([...blockers.values()], options);
  }

  async function lookSafely(
    record: ForgeRecord,
    question: BlockerQuestion,
    seen: Map<number, BlockerRecord | null>,
  ): Promise<BlockerAnswer> {
    try {
      return await look(record, question, seen);
    } catch (error) {
      if (question.signal.aborted || isRateLimit(error)) throw error;
      return { unread: `its blockers could not be read: ${messageOf(error)}` };
    }
  }

  return {
    async answer(question) {
      if (memories.size > MAX_MEMORIES) memories.clear();
      const answers = new Map<number, BlockerAnswer>();
      const pending: ForgeRecord[] = [];
      for (const record of question.records) {
        const known = remembered(record);
        if (known === null) pending.push(record);
        else answers.set(record.number, known);
      }
      const order = pending.toSorted((a, b) => lastLook(memories, a) - lastLook(memories, b));
      const seen = new Map<number, BlockerRecord | null>();
      for (const [index, record] of order.entries()) {
        if (index >= question.maxReads) {
          const memory = memories.get(record.number);
          answers.set(record.number, memory?.version === versionOf(record) ? memory.answer : UNREAD);
          continue;
        }
        const answer = await lookSafely(record, question, seen);
        memories.set(record.number, { version: versionOf(record), at: clock.elapsed(), answer });
        answers.set(record.number, answer);
      }
      return answers;
    },
  };
}

function lastLook(memories: ReadonlyMap<number, Memory>, record: ForgeRecord): number {
  return memories.get(record.number)?.at ?? 0;
}

function versionOf(record: ForgeRecord): string {
  return `${record.updatedAt} ${record.openBlockers}`;
}

function keyOf(blocker: BlockerRecord): string {
  return `${repositoryKey(blocker.repository)}#${blocker.number}`;
}

/** A blocker is finished when it is closed, in a terminal state, or in no state of the flow at all. */
function gateOf(blockers: readonly BlockerRecord[], options: BlockersOptions): Gate {
  const { states } = options;
  const unfinished: string[] = [];
  const blockedBy = blockers.map((blocker): BlockerRef => {
    const own = sameRepository(blocker.repository, options.repository);
    const { state } = states.read(blocker);
    const foreignState = blocker.closed ? states.closedState : 'open';
    const shown = own ? state : foreignState;
    const identifier = own
      ? `${options.identifierPrefix}${blocker.number}`
      : `${blocker.repository.owner}/${blocker.repository.name}#${blocker.number}`;
    const finished = blocker.closed || shown === null || includesState(states.terminal, shown);
    if (!finished) unfinished.push(`${identifier} (${shown})`);
    return { id: own ? String(blocker.number) : null, identifier, state: shown };
  });
  return { blockedBy, reason: unfinished.length === 0 ? null : `blocked by ${unfinished.join(', ')}` };
}

function isRateLimit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'tracker_rate_limited';
}
