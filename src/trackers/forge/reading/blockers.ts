import type { Clock } from '../../../domain/clock.ts';
import type { BlockerRef } from '../../../domain/issue.ts';
import { waitingReferences } from '../../../domain/issue-references.ts';
import { type Repository, repositoryKey, sameRepository } from '../../../domain/repository.ts';
import { includesState } from '../../../domain/state-name.ts';
import { messageOf } from '../../../errors/app-error.ts';
import type { Purpose } from '../../../http/budget/governor.ts';
import type { BlockerRecord, ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import { endsReading } from './ends-reading.ts';
import { type Gate, OPEN_GATE } from './normalize.ts';

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

/** What is known about issues at this moment; null for one that does not exist. */
type Known = Map<number, BlockerRecord | null>;

export function createBlockers(options: BlockersOptions): Blockers {
  return new Blockers(options);
}

/**
 * Looks up what issues wait for, a bounded number per poll. An issue without dependencies and references is remembered
 * until it changes; one that waits is looked at again, the longest unseen first.
 */
export class Blockers {
  readonly #options: BlockersOptions;
  readonly #memories = new Map<number, Memory>();
  #unsupportedUntil = 0;

  constructor(options: BlockersOptions) {
    this.#options = options;
  }

  async answer(question: BlockerQuestion): Promise<ReadonlyMap<number, BlockerAnswer>> {
    if (this.#memories.size > MAX_MEMORIES) this.#memories.clear();
    const answers = new Map<number, BlockerAnswer>();
    const pending: ForgeRecord[] = [];
    for (const record of question.records) {
      const settled = this.#settled(record);
      if (settled === null) pending.push(record);
      else answers.set(record.number, settled);
    }
    const lastLook = ({ number }: ForgeRecord): number => this.#memories.get(number)?.at ?? 0;
    const order = pending.toSorted((a, b) => lastLook(a) - lastLook(b));
    const known: Known = new Map(question.known);
    for (const record of order.slice(0, question.maxReads))
      answers.set(record.number, await this.#look(record, question, known));
    for (const record of order.slice(question.maxReads))
      answers.set(record.number, this.#remembered(record) ?? UNREAD);
    return answers;
  }

  #remembered(record: ForgeRecord): BlockerAnswer | null {
    const memory = this.#memories.get(record.number);
    return memory?.version === versionOf(record) ? memory.answer : null;
  }

  /** The answer for an issue that waits for nothing and has not changed since that was seen. */
  #settled(record: ForgeRecord): BlockerAnswer | null {
    if (this.#hasNoDependencies(record) && this.#references(record).length === 0) return OPEN_GATE;
    const answer = this.#remembered(record);
    return answer !== null && 'blockedBy' in answer && answer.blockedBy.length === 0 ? answer : null;
  }

  #hasNoDependencies(record: ForgeRecord): boolean {
    return record.openBlockers === 0 || this.#options.clock.elapsed() < this.#unsupportedUntil;
  }

  #references(record: ForgeRecord): number[] {
    const numbers = waitingReferences(record.body ?? '', this.#options.repository);
    return [...numbers].filter((number) => number !== record.number);
  }

  async #look(record: ForgeRecord, question: BlockerQuestion, known: Known): Promise<BlockerAnswer> {
    let answer: BlockerAnswer;
    try {
      answer = gateOf(await this.#read(record, question, known), this.#options);
    } catch (error) {
      if (endsReading(error, question.signal)) throw error;
      answer = { unread: `its blockers could not be read: ${messageOf(error)}` };
    }
    const at = this.#options.clock.elapsed();
    this.#memories.set(record.number, { version: versionOf(record), at, answer });
    return answer;
  }

  /** Dependencies and references, each blocker once. What is read is added to `known`. */
  async #read(
    record: ForgeRecord,
    question: BlockerQuestion,
    known: Known,
  ): Promise<readonly BlockerRecord[]> {
    const { purpose, signal } = question;
    const blockers = new Map<string, BlockerRecord>();
    for (const blocker of await this.#dependencies(record, question)) blockers.set(keyOf(blocker), blocker);
    for (const number of this.#references(record)) {
      let blocker = known.get(number);
      if (blocker === undefined) {
        blocker = await this.#options.source.issue(number, purpose, signal);
        known.set(number, blocker);
      }
      if (blocker !== null) blockers.set(keyOf(blocker), blocker);
    }
    return [...blockers.values()];
  }

  async #dependencies(
    record: ForgeRecord,
    { purpose, signal }: BlockerQuestion,
  ): Promise<readonly BlockerRecord[]> {
    if (this.#hasNoDependencies(record)) return [];
    const { source, clock } = this.#options;
    const found = await source.dependencies(record.number, purpose, signal);
    if (found === null) this.#unsupportedUntil = clock.elapsed() + UNSUPPORTED_FOR_MS;
    return found ?? [];
  }
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
