import type { Writable } from 'node:stream';
import { AppError } from '../errors/app-error.ts';

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
  let closedBecause: string | null = null;
  const close = (reason: string): void => {
    closedBecause ??= reason;
    stream.destroy();
  };
  stream.on('error', (error) => close(`its input pipe failed: ${error.message}`));
  void exited.then(() => close('it has exited'));

  return {
    writeLine(line) {
      if (line.includes('\n')) return Promise.reject(new Error('a line to write must not contain a newline'));
      if (closedBecause === null && stream.writableLength + line.length > limits.maxQueuedInputBytes) {
        close(`${stream.writableLength} bytes of earlier input are still unread`);
      }
      if (closedBecause !== null) return Promise.reject(inputError(command, closedBecause));
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => close(`it has not read its input for ${limits.writeTimeoutMs} ms`),
          limits.writeTimeoutMs,
        );
        // Destroying the stream calls back every write that is still waiting, with an error.
        stream.write(`${line}\n`, (error) => {
          clearTimeout(timer);
          if (error) reject(inputError(command, closedBecause ?? error.message));
          else resolve();
        });
      });
    },
    end() {
      if (closedBecause !== null) return;
      closedBecause = 'its input was ended';
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
