import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { parseJsonLine } from '../../process/lines/json-lines.ts';
import { type ConnectionHandlers, type Fields, isFragment } from './connection.ts';
import type { ClaudeProcess } from './process.ts';
import { controlRequestSchema, controlResponseSchema } from './protocol.ts';
import type { SpawnedProcess } from './sdk.ts';

export interface BridgeOptions {
  /** Starts the process; it is called once, at once. */
  start(): Promise<ClaudeProcess>;
  /** Ends the process with everything it started. */
  end(process: ClaudeProcess): Promise<void>;
}

/**
 * A process of this worker as the SDK wants to see one. The SDK expects it at once, but a sandbox takes a moment: what is
 * written until then waits. Lines go in by `push`, after somebody has looked at them.
 */
export class BridgedProcess extends EventEmitter implements SpawnedProcess {
  readonly stdout = new Readable({ read: () => {} });
  readonly stdin: Writable;
  readonly started: Promise<ClaudeProcess>;
  readonly #options: BridgeOptions;
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  constructor(options: BridgeOptions) {
    super();
    this.#options = options;
    this.started = options.start();
    this.stdin = this.#createInput();
    // A Claude that does not read its input is of no more use.
    this.stdin.on('error', () => this.kill());
    this.on('error', () => {});
    this.started.then(
      ({ child }) =>
        void child.exited.then(({ code, signal }) => {
          this.exitCode = code;
          this.signalCode = signal;
          this.stdout.push(null);
          this.emit('exit', code, signal);
        }),
      (error: unknown) => {
        this.stdout.push(null);
        this.emit('error', error);
      },
    );
  }

  push(line: string): void {
    // The readline of newer Node.js takes these for the end of a line; JSON has them in texts only, where they may be escaped.
    const whole = line.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'));
    this.stdout.push(`${whole}\n`);
  }

  kill(): boolean {
    this.killed = true;
    this.started.then((process) => this.#options.end(process)).catch(() => {});
    return true;
  }

  #createInput(): Writable {
    const { started } = this;
    let rest = '';
    return new Writable({
      decodeStrings: false,
      write(chunk: unknown, _encoding, done) {
        const lines = `${rest}${String(chunk)}`.split('\n');
        rest = lines.pop() ?? '';
        started
          .then(async ({ child }) => {
            for (const line of lines) await child.writeLine(line);
          })
          .then(() => done(), done);
      },
      final(done) {
        started.then(({ child }) => child.endInput()).then(() => done(), done);
      },
    });
  }
}

/** False for a line that is not passed on: a mere sign of life, or one that would break the SDK. */
export function isForTheSdk(
  line: string,
  handlers: Pick<ConnectionHandlers, 'onPulse' | 'onMalformed'>,
): boolean {
  if (isFragment(line)) {
    handlers.onPulse();
    return false;
  }
  const parsed = parseJsonLine(line);
  if (parsed.kind === 'noise') return false;
  if (parsed.kind === 'message' && isOfProtocol(parsed.value)) return true;
  handlers.onMalformed(Buffer.byteLength(line));
  return false;
}

function isOfProtocol(message: Fields): boolean {
  if (message['type'] === 'control_request') return controlRequestSchema.safeParse(message).success;
  if (message['type'] === 'control_response') return controlResponseSchema.safeParse(message).success;
  return typeof message['type'] === 'string';
}
