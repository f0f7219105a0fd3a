/** Bytes gathered up to a limit, in one block that grows by doubling: cost stays linear however small the pieces are. */
export interface ByteBuffer {
  readonly length: number;
  /** Keeps what fits and returns how many bytes that was. */
  append(bytes: Uint8Array): number;
  /** The bytes gathered so far, valid until the next call of any method. */
  view(): Buffer;
  clear(): void;
}

const MIN_BLOCK_BYTES = 1024;
/** A block larger than this is given back when the buffer is cleared. */
const MAX_KEPT_BLOCK = 64 * 1024;

export function createByteBuffer(maxBytes: number): ByteBuffer {
  let block = Buffer.alloc(0);
  let length = 0;

  function reserve(needed: number): void {
    if (needed <= block.length) return;
    const size = Math.min(maxBytes, Math.max(MIN_BLOCK_BYTES, block.length * 2, needed));
    const larger = Buffer.allocUnsafeSlow(size);
    block.copy(larger, 0, 0, length);
    block = larger;
  }

  return {
    get length() {
      return length;
    },
    append(bytes) {
      const accepted = Math.min(bytes.length, maxBytes - length);
      if (accepted <= 0) return 0;
      reserve(length + accepted);
      block.set(accepted === bytes.length ? bytes : bytes.subarray(0, accepted), length);
      length += accepted;
      return accepted;
    },
    view: () => block.subarray(0, length),
    clear() {
      length = 0;
      if (block.length > MAX_KEPT_BLOCK) block = Buffer.alloc(0);
    },
  };
}

/** Decodes UTF-8 that may have been cut anywhere: a character broken off at the end is left out. */
export function decodeCut(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.length - brokenTailLength(bytes));
}

function brokenTailLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    return byte >= 0b1100_0000 && back < encodedLength(byte) ? back : 0;
  }
  return 0;
}

function encodedLength(firstByte: number): number {
  if (firstByte >= 0b1111_0000) return 4;
  return firstByte >= 0b1110_0000 ? 3 : 2;
}
