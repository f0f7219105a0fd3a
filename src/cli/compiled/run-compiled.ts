import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const BEFORE = '(function (exports, require, module, __filename, __dirname, importModule) {';
const AFTER = '\n})';
const CHECKSUM_BYTES = 4;

export interface Compiled {
  /** What the file exports. */
  readonly exports: unknown;
  /** Whether what an earlier process saved was of use. */
  readonly wasSaved: boolean;
  /** Keeps what V8 has compiled so far, for the next process with the same Node. */
  save(): void;
}

/**
 * Runs a CommonJS file as `require` does, with `importModule` for `import()`, except that V8 takes the functions that an earlier process has compiled and saved, where
 * there are any: that is most of a start. The file holds ASCII only. What is saved lies beside the file, so that it goes with it; V8 refuses what another version has made.
 */
export function runCompiled(path: string, importModule: (name: string) => Promise<unknown>): Compiled {
  const saved = `${path}.${process.version}-${process.arch}.bin`;
  const cachedData = readSaved(saved);
  const script = new Script(`${BEFORE}${readFileSync(path, 'latin1')}${AFTER}`, {
    filename: path,
    columnOffset: -BEFORE.length,
    ...(cachedData === null ? {} : { cachedData }),
  });
  const module: { exports: unknown } = { exports: {} };
  script.runInThisContext()(
    ...[module.exports, createRequire(path), module, path, dirname(path), importModule],
  );
  return {
    exports: module.exports,
    wasSaved: script.cachedDataRejected === false,
    save: () => write(saved, script.createCachedData()),
  };
}

/** Null when there is nothing, or not what was written. */
function readSaved(path: string): Buffer | null {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(CHECKSUM_BYTES);
    return bytes.length > CHECKSUM_BYTES && bytes.readUInt32LE(0) === crc32(data) ? data : null;
  } catch {
    return null;
  }
}

/** A reader finds all of it or nothing. */
function write(path: string, data: Buffer): void {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, Buffer.concat([checksum, data]));
  renameSync(fresh, path);
}
