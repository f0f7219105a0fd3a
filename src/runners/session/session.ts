import type { AgentEvent } from '../../domain/agent-event.ts';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { type AppError, messageOf } from '../../errors/app-error.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { type AnswerTool, createToolCaller } from '../tools/tool-calls.ts';
import { type AgentProcess, type AgentProcessOptions, sentence, startAgentProcess } from './agent-process.ts';
import type { AgentProtocol, Conversation } from './protocol.ts';
import { createReports, type Reports } from './reports.ts';
import { watchSilence } from './silence-watch.ts';
import type { Timing } from './timing.ts';
import { createTurns, type Turns } from './turns.ts';

/** Nothing is reported before a session is open, nor after it was closed. */
type Phase = 'opening' | 'open' | 'closed';
type ProcessOptions = Omit<AgentProcessOptions, 'onOversizeLine'> & Partial<AgentProcessOptions>;

/**
 * One session with an agent, the same for every kind: its turns and how they end, its process, its tools and what is reported.
 * The protocol of the kind speaks to the agent and tells this what it heard.
 */
export class Session {
  readonly input: SessionInput;
  readonly timing: Timing;
  readonly clock: Clock;
  readonly reports: Reports;
  readonly answerTool: AnswerTool;
  /** What the start is at, for the report of its failure. */
  stage = 'launch';
  readonly #protocol: AgentProtocol;
  readonly #turns: Turns;
  readonly #closers: (() => Promise<void> | void)[] = [];
  #phase: Phase = 'opening';
  #conversation: Conversation | null = null;
  #starting: Promise<AgentProcess> | null = null;
  #process: AgentProcess | null = null;
  #startIsCanceled = false;
  #stopping: Promise<void> | null = null;
  /** What the current turn ends with, once this side has decided to end it. */
  #ending: TurnResult | null = null;
  #cancelGrace = (): void => {};

  constructor(protocol: AgentProtocol, input: SessionInput, timing: Timing, clock: Clock = systemClock) {
    const emit = (event: AgentEvent): void => this.emit(event);
    this.#protocol = protocol;
    this.input = input;
    this.timing = timing;
    this.clock = clock;
    this.reports = createReports(clock, timing.pulseMs, emit);
    this.answerTool = createToolCaller(input, emit, clock, timing.tools);
    this.#turns = createTurns(emit);
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  /** The number of the running turn; null between turns. */
  get turn(): number | null {
    return this.#turns.current()?.turn ?? null;
  }

  /** The name of the running turn; null between turns, and until the agent has named it. */
  get turnId(): string | null {
    return this.#turns.current()?.turnId ?? null;
  }

  /** What the running turn will end with, whatever the agent still says; null when that is open. */
  get ending(): TurnResult | null {
    return this.#ending;
  }

  /** Reports at once and in order. What may come in a flood goes through `reports`. */
  emit(event: AgentEvent): void {
    if (this.#phase === 'open') this.input.onEvent(event);
  }

  /** Opens the session, or tells that it goes on under another id. */
  announce(opened: { sessionId: string; model: string | null; resumed: boolean }): void {
    if (this.#phase === 'opening') this.#phase = 'open';
    this.emit({ type: 'session_started', pid: this.#process?.child.pid ?? null, ...opened });
  }

  /** A line that is not of the protocol. */
  malformed(bytes: number): void {
    if (this.isOpen) this.reports.unread(bytes);
  }

  /** Starts the agent; its process is the one that the session watches and ends. */
  async startProcess(launch: Launch, options: ProcessOptions): Promise<AgentProcess> {
    if (this.#startIsCanceled || this.#stopping !== null) {
      await launch.dispose?.();
      throw new Error('the session was stopped');
    }
    const onOversizeLine = (bytes: number): void => this.malformed(bytes);
    const place = { name: this.#protocol.name, input: this.input, clock: this.clock };
    this.#starting = startAgentProcess(launch, place, { onOversizeLine, ...options });
    this.#process = await this.#starting;
    return this.#process;
  }

  /** Ends the process with everything it started, also one that is just being started. Never rejects. */
  async terminate(): Promise<void> {
    const process = await this.#starting?.catch(() => null);
    await process?.child.terminate(this.timing.stopGrace).catch((error: unknown) => {
      const agent = this.#protocol.name;
      this.input.logger.error('the agent could not be ended', { agent, error: messageOf(error) });
    });
  }

  /** Called once when the session closes, in the order of the calls. */
  onClose(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    this.#phase = 'closed';
    for (const close of this.#closers.splice(0)) await close();
  }

  /** Whatever the start waits for ends with the process. */
  cancelStart(): void {
    this.#startIsCanceled = true;
    void this.terminate();
  }

  /** The start has failed: the only thing that is reported of a session that never opened. */
  failStart(problem: AppError): void {
    this.#phase = 'open';
    this.emit({ type: 'startup_failed', stage: this.stage, message: problem.message });
  }

  /** The conversation is open: turns can be run. */
  begin(conversation: Conversation): AgentSession {
    this.#conversation = conversation;
    void conversation.ended?.then(() => this.endTurn(this.#exitResult()));
    const { steer } = conversation;
    return {
      runTurn: (prompt, signal) => this.#runTurn(conversation, prompt, signal),
      steer: steer && (async (text) => this.#isRunning() && this.#ending === null && steer(text)),
      stop: () => this.#stop(),
    };
  }

  /** The agent named the current turn. */
  turnStarted(turnId: string): void {
    this.#turns.started(turnId);
  }

  /** The agent has ended its turn, which is still being looked at: its process need not be ended for that any more. */
  agentEndedTurn(): void {
    this.#cancelGrace();
  }

  /** Ends the current turn, if there is one. What this side has decided before counts more. */
  endTurn(result: TurnResult): void {
    if (!this.#isRunning()) return;
    this.#conversation?.flush?.();
    this.reports.flush();
    this.#turns.end(this.#ending ?? result);
  }

  /** A person has to decide: the turn ends with this question. */
  ask(method: string, question: string): void {
    this.#endTurnWith({ kind: 'input_required', method, question });
  }

  /** Ends the turn with this result by ending the process: the agent would go on by itself. */
  abandonTurn(result: TurnResult): void {
    this.#ending ??= result;
    void this.terminate();
  }

  async #runTurn(conversation: Conversation, prompt: string, signal: AbortSignal): Promise<TurnResult> {
    if (this.#isRunning()) throw new Error('a turn is already running');
    if (signal.aborted || this.#stopping !== null) return { kind: 'interrupted' };
    this.#ending = null;
    const { turn, ended } = this.#turns.begin();
    if (conversation.namesTurns !== true) this.#turns.started(`turn-${turn}`);
    const hasExited = conversation.ended !== null && this.#process?.exitError() !== null;
    if (hasExited) this.endTurn(this.#exitResult());
    else conversation.startTurn(prompt, turn);
    const onAbort = (): void => this.#endTurnWith({ kind: 'interrupted' });
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelSilence = this.#watchSilence();
    try {
      return await ended;
    } finally {
      cancelSilence();
      this.#cancelGrace();
      conversation.afterTurn?.();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Asks first; an agent that does not end the turn is ended with its whole process tree. */
  #endTurnWith(result: TurnResult): void {
    if (this.#ending !== null || !this.#isRunning()) return;
    this.#ending = result;
    this.#conversation?.interrupt(result);
    this.#cancelGrace = this.clock.setTimer(this.timing.interruptGraceMs, () => {
      void this.terminate().then(() => this.endTurn(result));
    });
  }

  #watchSilence(): () => void {
    const { silenceMs } = this.timing;
    if (silenceMs === null) return () => {};
    const { name, silenceKey } = this.#protocol;
    const limit = `${silenceKey} (${Math.round(silenceMs / 1000)} s)`;
    const message = sentence(`${name} was silent for longer than ${limit}`);
    return watchSilence({
      clock: this.clock,
      silenceMs,
      heardAt: () => this.#process?.heardAt() ?? 0,
      onSilent: () => this.#endTurnWith({ kind: 'timed_out', message }),
    });
  }

  #isRunning(): boolean {
    return this.#turns.current() !== null;
  }

  #exitResult(): TurnResult {
    const message = this.#process?.exitError()?.message ?? sentence(`${this.#protocol.name} has exited`);
    return { kind: 'failed', code: 'port_exit', message };
  }

  #stop(): Promise<void> {
    this.#ending ??= { kind: 'interrupted' };
    this.#stopping ??= this.terminate().then(() => {
      this.endTurn({ kind: 'interrupted' });
      return this.close();
    });
    return this.#stopping;
  }
}
