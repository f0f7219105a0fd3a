import { isRecord } from '../../domain/is-record.ts';
import { parseForeignJson } from '../../domain/nesting.ts';

/** A line of a JSON-lines protocol: its value, or why it is not one. */
export type JsonLine =
  | { readonly kind: 'message'; readonly value: Readonly<Record<string, unknown>> }
  /** Meant as a message but broken: it starts like an object, or is JSON of another shape. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** Anything else a program prints: banners, warnings, blank lines. */
  | { readonly kind: 'noise' };

/** Messages are objects. The caller still checks the shape of `value`. */
export function parseJsonLine(line: string): JsonLine {
  const text = line.trim();
  if (text === '') return { kind: 'noise' };
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch (error) {
    if (!text.startsWith('{')) return { kind: 'noise' };
    return { kind: 'malformed', reason: error instanceof Error ? error.message : 'not JSON' };
  }
  if (isRecord(value)) return { kind: 'message', value };
  const found = Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value;
  return { kind: 'malformed', reason: `expected an object, got ${found}` };
}

/** One message as a line, without its newline; JSON escapes every newline inside. */
export function formatJsonLine(message: object): string {
  return JSON.stringify(message);
}

export interface JsonLineReaderOptions {
  onMessage(value: Readonly<Record<string, unknown>>): void;
  /** A broken message, with the number of them so far. The line is cut to 500 characters. */
  onMalformed?(line: string, reason: string, count: number): void;
  onNoise?(line: string, count: number): void;
}

export interface JsonLineReader {
  read(line: string): void;
  /** How many lines were skipped, for the run's record. */
  counts(): { readonly malformed: number; readonly noise: number };
}

const MAX_REPORTED_CHARS = 500;

/** Skips and counts what is not a message, so that a chatty program cannot end its own session. */
export function createJsonLineReader(options: JsonLineReaderOptions): JsonLineReader {
  const counts = { malformed: 0, noise: 0 };
  return {
    read(line) {
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'message') {
        options.onMessage(parsed.value);
      } else if (parsed.kind === 'malformed') {
        counts.malformed += 1;
        options.onMalformed?.(line.slice(0, MAX_REPORTED_CHARS), parsed.reason, counts.malformed);
      } else {
        counts.noise += 1;
        options.onNoise?.(line.slice(0, MAX_REPORTED_CHARS), counts.noise);
      }
    },
    counts: () => ({ ...counts }),
  };
}
