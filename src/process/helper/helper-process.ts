import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from '../../domain/clock.ts';
import type { CommandOptions, CommandResult } from '../children/child.ts';
import type { CommandLimits } from '../children/run-command.ts';
import { settledWithin } from '../children/settled-within.ts';
import { packageFile } from '../package-file.ts';
import { endAbandonedCommand, endAbandonedCommands } from './abandoned-command.ts';
import type { Answer, Reply, Request, SentCall, TaskName } from './messages.ts';
import { describeError, reviveError } from './sent-error.ts';

/** The helper is small because it holds nothing; these keep it so. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=512'];
/** A helper that has not answered this long after a command's time is over does not answer any more. */
const MAX_LATE_MS = 60_000;
/** As long has a call to end when it is told to. */
const MAX_STOPPING_MS = 60_000;
/** How long a worker that ends waits for its helper. */
const MAX_END_MS = 2_000;

interface Waiting {
  /** Null for what is no command. */
  readonly commandId: string | null;
  readonly onErrorLine: ((line: string) => void) | null;
  readonly port: CallerPort | null;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const NOTHING = { commandId: null, onErrorLine: null, port: null };

/** What the caller does for a call that is on its way. */
export interface CallerPort {
  onTold(name: string, args: readonly unknown[]): void;
  onAsked(name: string, args: readonly unknown[]): Promise<unknown>;
}

/** A helper process and what is asked of it. `onGone` is called once, when it is of no more use, with whether it ever was. */
export class HelperProcess {
  readonly #child: ChildProcess;
  readonly #onGone: (wasReady: boolean) => void;
  readonly #waiting = new Map<number, Waiting>();
  /** Marks what it starts by itself. */
  readonly #id = randomUUID();
  #state: 'starting' | 'ready' | 'gone' = 'starting';
  #lastId = 0;

  constructor(onGone: (wasReady: boolean) => void) {
    this.#onGone = onGone;
    this.#child = fork(packageFile('dist/program/helper.js'), [this.#id], {
      // Everything a command needs comes with it; the helper itself needs nothing of ours.
      env: {},
      execArgv: NODE_FLAGS,
      serialization: 'advanced',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    for (const event of ['error', 'exit', 'disconnect']) this.#child.on(event, () => this.#end());
    this.#child.on('message', (message: Reply) => this.#receive(message));
    this.#keepNobodyAlive();
  }

  /** False until it has started, and once it is gone. */
  get isReady(): boolean {
    return this.#state === 'ready';
  }

  /** How many answers are awaited. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** The input is no stream. */
  async run(
    { signal, onErrorLine, ...options }: CommandOptions,
    given: Partial<CommandLimits>,
  ): Promise<CommandResult> {
    const commandId = randomUUID();
    const command = {
      options,
      limits: { ...given, commandId },
      sendsErrorLines: onErrorLine !== undefined,
    };
    const id = this.#nextId();
    const asked = { commandId, onErrorLine: onErrorLine ?? null, port: null };
    const answer = this.#ask({ type: 'run', id, command }, asked);
    const stop = (): void => this.#stop(id);
    signal?.addEventListener('abort', stop);
    const { timeoutMs } = options;
    const stopWaiting =
      timeoutMs === undefined ? null : systemClock.setTimer(timeoutMs + MAX_LATE_MS, () => this.kill());
    try {
      // What arrives is what our own program sent.
      return (await answer) as CommandResult;
    } finally {
      stopWaiting?.();
      signal?.removeEventListener('abort', stop);
    }
  }

  perform(task: TaskName, args: readonly unknown[]): Promise<unknown> {
    return this.#ask({ type: 'do', id: this.#nextId(), task, args }, NOTHING);
  }

  /** Rejects with the reason of the signal when that made it end. */
  async call(call: SentCall, port: CallerPort, signal: AbortSignal | undefined): Promise<unknown> {
    const id = this.#nextId();
    const answer = this.#ask({ type: 'call', id, call }, { ...NOTHING, port });
    let giveUp = (): void => {};
    const stop = (): void => {
      this.#stop(id);
      giveUp = systemClock.setTimer(MAX_STOPPING_MS, () => this.kill());
    };
    signal?.addEventListener('abort', stop);
    try {
      return await answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      giveUp();
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends what a helper that is gone had started by itself, so that nobody else is at work where it was. */
  endCommands(): Promise<void> {
    return endAbandonedCommands(this.#child.pid ?? process.pid, this.#id);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets it go; resolves when it has ended, as it does by itself, or after a moment. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    const ended = exitCode !== null || signalCode !== null ? Promise.resolve() : once(this.#child, 'exit');
    // Nothing was asked of it yet, and it would outlive us until it has started.
    if (this.#state === 'starting') this.#child.kill('SIGKILL');
    else if (this.#child.connected) this.#child.disconnect();
    await settledWithin(ended, MAX_END_MS);
  }

  #stop(id: number): void {
    if (this.#waiting.has(id)) this.#child.send({ type: 'stop', id });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #ask(
    request: Extract<Request, { type: 'run' | 'do' | 'call' }>,
    asked: Omit<Waiting, 'resolve' | 'reject'>,
  ): Promise<unknown> {
    if (this.#waiting.size === 0) this.#child.channel?.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { ...asked, resolve, reject });
      this.#child.send(request, (error) => {
        if (error !== null) this.#end();
      });
    });
  }

  #receive(message: Reply): void {
    if (message.type === 'ready') {
      this.#state = 'ready';
      return;
    }
    const one = this.#waiting.get(message.id);
    if (message.type === 'error_line') {
      one?.onErrorLine?.(message.line);
      return;
    }
    if (message.type === 'told') {
      one?.port?.onTold(message.name, message.args);
      return;
    }
    if (message.type === 'asked') {
      void this.#answer(message, one?.port ?? null);
      return;
    }
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#keepNobodyAlive();
    if (message.type === 'result') one?.resolve(message.result);
    else one?.reject(reviveError(message.error));
  }

  async #answer(
    { askId, name, args }: Extract<Reply, { type: 'asked' }>,
    port: CallerPort | null,
  ): Promise<void> {
    let answer: Answer;
    try {
      answer = { result: await port?.onAsked(name, args) };
    } catch (error) {
      answer = { error: describeError(error) };
    }
    if (this.#child.connected) this.#child.send({ type: 'answer', askId, answer });
  }

  #end(): void {
    if (this.#state === 'gone') return;
    const wasReady = this.#state === 'ready';
    this.#state = 'gone';
    for (const { commandId, resolve, reject } of this.#waiting.values()) {
      if (commandId === null) reject(new Error('the process that did this for the worker ended'));
      else void endAbandonedCommand(this.#child.pid ?? process.pid, commandId).then(resolve);
    }
    this.#waiting.clear();
    this.#onGone(wasReady);
  }

  #keepNobodyAlive(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}
