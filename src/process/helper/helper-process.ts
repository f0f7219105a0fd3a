import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CommandOptions, CommandResult } from '../children/child.ts';

import type { CommandLimits } from '../children/run-command.ts';
import { settledWithin } from '../children/settled-within.ts';
import { packageFile } from '../package-file.ts';
import { endAbandonedCommand } from './abandoned-command.ts';
import type { Reply, Request, SentError, TaskName } from './messages.ts';

/** The helper is small because it holds nothing; these keep it so. */
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=512'];
/** A helper that has not answered this long after a command's time is over does not answer any more. */
const MAX_LATE_MS = 60_000;
/** How long a worker that ends waits for its helper. */
const MAX_END_MS = 2_000;

interface Waiting {
  /** Null for what is no command. */
  readonly commandId: string | null;
  readonly onErrorLine: ((line: string) => void) | null;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A helper process and what is asked of it. `onGone` is called once, when it is of no more use, with whether it ever was. */
export class HelperProcess {
  readonly #child: ChildProcess;
  readonly #onGone: (wasReady: boolean) => void;
  readonly #waiting = new Map<number, Waiting>();
  #state: 'starting' | 'ready' | 'gone' = 'starting';
  #lastId = 0;

  constructor(onGone: (wasReady: boolean) => void) {
    this.#onGone = onGone;
    this.#child = fork(packageFile('dist/program/helper.js'), [], {
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
    const answer = this.#ask({ type: 'run', id, command }, commandId, onErrorLine ?? null);
    const stop = (): void => void (this.#waiting.has(id) && this.#child.send({ type: 'stop', id }));
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
    return this.#ask({ type: 'do', id: this.#nextId(), task, args }, null, null);
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

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #ask(
    request: Extract<Request, { type: 'run' | 'do' }>,
    commandId: string | null,
    onErrorLine: Waiting['onErrorLine'],
  ): Promise<unknown> {
    if (this.#waiting.size === 0) this.#child.channel?.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { commandId, onErrorLine, resolve, reject });
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
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#keepNobodyAlive();
    if (message.type === 'result') one?.resolve(message.result);
    else one?.reject(revive(message.error));
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

function revive({ code, message, hint, context }: SentError): Error {
  if (code === null) return new Error(message);
  return new AppError(code, message, { ...(hint === null ? {} : { hint }), context });
}
