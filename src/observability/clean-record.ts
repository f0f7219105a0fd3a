import type { Redactor } from './redact.ts';
import { REDACTED } from './token-shapes.ts';

const MAX_DEPTH = 8;
const MAX_ENTRIES = 200;
const MAX_NODES = 2_000;
/** A log line is no place for payloads. */
const MAX_TEXT = 8 * 1024;
/** Only this much of a text is searched for secrets; the rest is never written. */
const MAX_SEARCHED = 256 * 1024;
/** A search that was cut off may end in half a secret. */
const UNSURE_TAIL = 16 * 1024;

const SECRET_KEY =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|(?:[a-z]+[_-])*(?:password|passwd|secret|api[_-]?key|apikey|token|private[_-]?key|access[_-]?key))$/i;
/** The logger's own keys. */
const RESERVED = new Set(['time', 'level', 'msg']);

/** Turns fields of any kind into plain JSON data of bounded size, with every text redacted; later ones win. Never throws. */
export function cleanFields(
  layers: readonly Readonly<Record<string, unknown>>[],
  redactor: Redactor,
): Record<string, unknown> {
  const cleaned: Record<string, unknown> = Object.create(null);
  const budget = { nodes: MAX_NODES };
  for (const layer of layers) {
    const fields = cleanObject(layer, { redactor, ancestors: [], budget });
    if (typeof fields !== 'object') continue;
    for (const [key, value] of Object.entries(fields ?? {}))
      cleaned[RESERVED.has(key) ? `${key}_` : key] = value;
  }
  return cleaned;
}

/** A text ready to be written. */
export function cleanText(text: string, redactor: Redactor): string {
  const redacted = redactor.redact(text.slice(0, MAX_SEARCHED));
  const isWhole = text.length <= MAX_SEARCHED;
  const sure = isWhole ? redacted : redacted.slice(0, Math.max(0, redacted.length - UNSURE_TAIL));
  return isWhole && sure.length <= MAX_TEXT ? sure : `${sure.slice(0, MAX_TEXT)}… (cut)`;
}

interface Context {
  readonly redactor: Redactor;
  /** The objects around the current one: an object inside itself is a cycle. */
  readonly ancestors: readonly object[];
  /** Values this record may still hold. */
  readonly budget: { nodes: number };
}

function cleanValue(value: unknown, context: Context): unknown {
  context.budget.nodes -= 1;
  if (context.budget.nodes < 0) return '[too large]';
  switch (typeof value) {
    case 'string':
      return cleanText(value, context.redactor);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return '[function]';
    case 'object':
      return value === null ? null : cleanObject(value, context);
    default:
      return value;
  }
}

function cleanObject(value: object, context: Context): unknown {
  if (context.ancestors.includes(value)) return '[circular]';
  if (context.ancestors.length > MAX_DEPTH) return '[too deep]';
  const inner = { ...context, ancestors: [...context.ancestors, value] };
  try {
    if (value instanceof Error) return cleanError(value, inner);
    if (value instanceof Map)
      return cleanEntries(
        [...value].map(([key, item]) => [String(key), item]),
        inner,
      );
    if (value instanceof Set) return cleanList([...value], inner);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return cleanList(value, inner);
    if ('toJSON' in value && typeof value.toJSON === 'function') return cleanValue(value.toJSON(), inner);
    return cleanEntries(Object.entries(value), inner);
  } catch {
    return '[unreadable]';
  }
}

function cleanList(values: readonly unknown[], context: Context): unknown[] {
  const kept = values.slice(0, MAX_ENTRIES).map((value) => cleanValue(value, context));
  return values.length > MAX_ENTRIES ? [...kept, `… ${values.length - MAX_ENTRIES} more`] : kept;
}

function cleanEntries(
  entries: readonly (readonly [string, unknown])[],
  context: Context,
): Record<string, unknown> {
  const cleaned: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries.slice(0, MAX_ENTRIES)) {
    const isSecret = typeof value === 'string' && value !== '' && SECRET_KEY.test(key);
    cleaned[cleanText(key, context.redactor)] = isSecret ? REDACTED : cleanValue(value, context);
  }
  if (entries.length > MAX_ENTRIES) cleaned['…'] = `${entries.length - MAX_ENTRIES} more`;
  return cleaned;
}

/** An error's own properties (`code`, `hint`, `context`, …) matter as much as its text. */
function cleanError(error: Error, context: Context): Record<string, unknown> {
  const standard = ['name', 'message', 'stack', 'cause'];
  const own = Object.entries(error).filter(([key]) => !standard.includes(key));
  const cause = error.cause === undefined ? [] : [['cause', error.cause] as const];
  return cleanEntries(
    [['type', error.name], ['message', error.message], ...own, ...cause, ['stack', error.stack]],
    context,
  );
}
