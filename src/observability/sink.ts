/** Where finished log lines go. Writing never throws and never blocks on a reader that is gone. */
export interface Sink {
  write(line: string): void;
}

/** The part of a Writable that a sink needs. */
export interface LogStream {
  write(chunk: string): unknown;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly destroyed?: boolean;
  readonly writableLength?: number;
}

/** A stream whose reader is slower than this is not waited for: lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/**
 * A sink that outlives its stream: a closed pipe or a full disk costs log lines, not the process. `onLoss` hears of
 * the first loss only.
 */
export function createSink(stream: LogStream, onLoss: (reason: string) => void): Sink {
  let reported = false;

  function lose(reason: string): void {
    if (reported) return;
    reported = true;
    onLoss(reason);
  }

  stream.on?.('error', (error) => lose(error.message));

  return {
    write(line) {
      if (stream.destroyed === true) return lose('the stream is closed');
      if ((stream.writableLength ?? 0) > MAX_WAITING_BYTES) return lose('its reader is too slow');
      try {
        stream.write(line);
      } catch (error) {
        lose(String(error));
      }
    },
  };
}
