import { createByteBuffer, decodeCut } from './byte-buffer.ts';

export interface LineFramerOptions {
  /** The longest line delivered, without its line ending. */
  readonly maxLineBytes: number;
  /** A complete line without its ending (LF or CRLF); bytes that are not UTF-8 become U+FFFD. */
  onLine(line: string): void;
  /** A line over the cap was dropped; called at its end with its length. */
  onOversizeLine?(bytes: number): void;
  /** Deliver a line over the cap as its first `maxLineBytes` bytes instead of dropping it. */
  readonly cutOversize?: boolean;
  /** A lone carriage return also ends a line (progress displays) and empty lines are left out. */
  readonly carriageReturnEnds?: boolean;
  /** Empty lines are left out, at the cost of a byte each: a flood of them must not keep everything else waiting. */
  readonly skipEmpty?: boolean;
}

/** Bytes in, lines out. Holds at most one line of `maxLineBytes`, in time linear in the input. */
export interface LineFramer {
  push(chunk: Uint8Array): void;
  /** The input is over: delivers a last line that has no ending. */
  end(): void;
}

const LF = 0x0a;
const CR = 0x0d;

export function createLineFramer(options: LineFramerOptions): LineFramer {
  const { maxLineBytes, cutOversize = false, carriageReturnEnds = false, skipEmpty = false } = options;
  // One byte more than the cap, for the CR of a CRLF that follows a line of exactly the cap.
  const pending = createByteBuffer(maxLineBytes + 1);
  let lineBytes = 0;
  let lastByte = -1;

  function take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    lineBytes += bytes.length;
    if (cutOversize || lineBytes <= maxLineBytes + 1) pending.append(bytes);
    else pending.clear();
    lastByte = bytes[bytes.length - 1] ?? -1;
  }

  function finishLine(): void {
    const length = lastByte === CR ? lineBytes - 1 : lineBytes;
    const kept = pending.view();
    const oversize = length > maxLineBytes;
    const text = oversize
      ? cutOversize
        ? decodeCut(kept.subarray(0, maxLineBytes))
        : ''
      : kept.toString('utf8', 0, length);
    pending.clear();
    lineBytes = 0;
    lastByte = -1;
    if (oversize && !cutOversize) options.onOversizeLine?.(length);
    else if (text !== '' || !(carriageReturnEnds || skipEmpty)) options.onLine(text);
  }

  return {
    push(chunk) {
      let start = 0;
      while (start < chunk.length) {
        if (skipEmpty && lineBytes === 0 && chunk[start] === LF) {
          start += 1;
          continue;
        }
        const end = nextEnding(chunk, start, carriageReturnEnds);
        if (end === -1) break;
        take(chunk.subarray(start, end));
        finishLine();
        start = end + 1;
      }
      take(chunk.subarray(start));
    },
    end() {
      if (lineBytes > 0) finishLine();
    },
  };
}

function nextEnding(chunk: Uint8Array, from: number, carriageReturnEnds: boolean): number {
  if (!carriageReturnEnds) return chunk.indexOf(LF, from);
  for (let at = from; at < chunk.length; at += 1) {
    if (chunk[at] === LF || chunk[at] === CR) return at;
  }
  return -1;
}
