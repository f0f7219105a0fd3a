import type { Writable } from 'node:stream';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';

export interface ChildInput {
  /** Resolves when the pipe took the line; rejects with `port_exit` when it never will. */
  writeLine(line: string): Promise<void>;
  end(): void;
}

interface InputLimits {
  readonly writeTimeoutMs: number;
  readonly maxQueuedInputBytes: number;
}

/** A child's stdin. Each write is bounded by time, by the child's exit and by the amount already waiting. */
export function createChildInput(
  stream: Writable,
  command: string,
  exited: Promise<unknown>,
  limits: InputLimits,
): ChildInput {
  let ended = false;
  let brokenBecause: string | null = null;
  const breakOff = (reason: string): void => {
    brokenBecause ??= reason;
    stream.destroy();
  };
  stream.on('error', (error) => breakOff(`its input pipe failed: ${error.message}`));
  void exited.then(() => breakOff('it has exited'));

  function refusal(line: string): Error | null {
    if (line.includes('\n')) return new Error('a line to write must not contain a newline');
    const waiting = stream.writableLength;
    if (waiting > 0 && waiting + line.length > limits.maxQueuedInputBytes) {
      breakOff(`${waiting} bytes of earlier input are still unread`);
    }
    const reason = brokenBecause ?? (ended ? 'its input was ended' : null);
    return reason === null ? null : inputError(command, reason);
  }

  return {
    writeLine(line) {
      const refused = refusal(line);
      if (refused !== null) return Promise.reject(refused);
      return new Promise((resolve, reject) => {
        const cancelTimer = systemClock.setTimer(limits.writeTimeoutMs, () =>
          breakOff(`it has not read its input for ${limits.writeTimeoutMs} ms`),
        );
        // Destroying the stream calls back every waiting write, some of them without an error.
        stream.write(`${line}\n`, (error) => {
          cancelTimer();
          const reason = brokenBecause ?? error?.message;
          if (reason === undefined) resolve();
          else reject(inputError(command, reason));
        });
      });
    },
    end() {
      if (ended || brokenBecause !== null) return;
      ended = true;
      stream.end();
    },
  };
}

function inputError(command: string, reason: string): AppError {
  return new AppError('port_exit', `Cannot write to ${command}: ${reason}.`, {
    hint: 'Read the last stderr lines of the run: the agent ended or hangs.',
    context: { command },
  });
}
