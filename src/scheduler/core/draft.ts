import type { Issue } from '../../domain/issue.ts';
import type { Command, RuntimeEvent, RuntimeEventKind } from './commands.ts';
import { CopyOnWriteMap } from './copy-on-write-map.ts';
import { freshRecord } from './initial-state.ts';
import type { SchedulerSettings } from './settings.ts';
import type { IssueRecord, SchedulerState } from './state.ts';

/** The working copy of one transition: reads through to the old state, copies a map on its first write. */
export class Draft {
  readonly now: number;
  readonly settings: SchedulerSettings;
  readonly commands: Command[] = [];
  readonly claims;
  readonly live;
  readonly records;
  readonly held;
  readonly cleaning;
  readonly pushing;
  readonly pending;
  candidates: SchedulerState['candidates'];
  justRead: SchedulerState['justRead'];
  tick: SchedulerState['tick'];
  lastPoll: SchedulerState['lastPoll'];
  totals: SchedulerState['totals'];
  spent: SchedulerState['spent'];
  paused: boolean;
  draining: boolean;
  intake: SchedulerState['intake'];
  readonly #bootId: string;
  #serial: number;

  constructor(state: SchedulerState, now: number, settings: SchedulerSettings) {
    this.now = now;
    this.settings = settings;
    this.claims = new CopyOnWriteMap(state.claims);
    this.live = new CopyOnWriteMap(state.live);
    this.records = new CopyOnWriteMap(state.records);
    this.held = new CopyOnWriteMap(state.held);
    this.cleaning = new CopyOnWriteMap(state.cleaning);
    this.pushing = new CopyOnWriteMap(state.pushing);
    this.pending = new CopyOnWriteMap(state.pending);
    this.candidates = state.candidates;
    this.justRead = state.justRead;
    this.tick = state.tick;
    this.lastPoll = state.lastPoll;
    this.totals = state.totals;
    this.spent = state.spent;
    this.paused = state.paused;
    this.draining = state.draining;
    this.intake = state.intake;
    this.#bootId = state.bootId;
    this.#serial = state.serial;
  }

  /** An id that no earlier life of this worker used. */
  nextId(): string {
    this.#serial += 1;
    return `${this.#bootId}-${this.#serial}`;
  }

  emit(command: Command): void {
    this.commands.push(command);
  }

  publish(
    kind: RuntimeEventKind,
    message: string,
    about?: Pick<Issue, 'id' | 'identifier'>,
    run?: { readonly runId: string; readonly sessionId?: string | null },
  ): void {
    const event: RuntimeEvent = {
      at: this.now,
      kind,
      issueId: about?.id ?? null,
      identifier: about?.identifier ?? null,
      runId: run?.runId ?? null,
      sessionId: run?.sessionId ?? null,
      message,
    };
    this.emit({ type: 'publish', event });
  }

  record(issue: Pick<Issue, 'id' | 'identifier'>): IssueRecord {
    return this.records.get(issue.id) ?? freshRecord(issue);
  }

  /** Every change of a record is journalled. */
  saveRecord(record: IssueRecord): void {
    const dated = record.savedAt === this.now ? record : { ...record, savedAt: this.now };
    this.records.set(record.issueId, dated);
    this.emit({ type: 'save_record', record: dated });
  }

  finish(): [SchedulerState, readonly Command[]] {
    const { paused, draining, intake, candidates, justRead, tick, lastPoll, totals, spent } = this;
    const state: SchedulerState = {
      bootId: this.#bootId,
      serial: this.#serial,
      paused,
      draining,
      intake,
      candidates,
      justRead,
      tick,
      lastPoll,
      totals,
      spent,
      claims: this.claims.finish(),
      live: this.live.finish(),
      records: this.records.finish(),
      held: this.held.finish(),
      cleaning: this.cleaning.finish(),
      pushing: this.pushing.finish(),
      pending: this.pending.finish(),
    };
    return [state, this.commands];
  }
}
