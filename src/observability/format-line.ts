import { createRequire } from 'node:module';

/** Characters that could move the cursor, rewrite the screen or reverse the reading direction. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const PLAIN_VALUE = /^[^\s"=\\{}[\],]+$/;
const OWN_KEYS = new Set(['time', 'level', 'msg']);

/** Makes a JSON log line readable: `12:03:04 INFO: run started issue_identifier=ENG-7 turns=2`. */
export function createLineFormatter({ color }: { readonly color: boolean }): (line: string) => string {
  // Loaded only on a terminal; a worker under a service manager never needs it.
  const { prettyFactory }: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty');
  const format = prettyFactory({
    colorize: color,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    messageFormat: (record) => `${show(record['msg'])}${showFields(record)}`,
  });
  return (line) => format(line);
}

function showFields(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .filter(([key]) => !OWN_KEYS.has(key))
    .map(([key, value]) => ` ${show(key)}=${showValue(value)}`)
    .join('');
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return PLAIN_VALUE.test(value) ? show(value) : show(JSON.stringify(value));
  return show(JSON.stringify(isError(value) ? summarise(value) : value) ?? String(value));
}

function isError(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}

/** Errors a user can meet need no stack to be understood; bugs do. */
function summarise(error: Readonly<Record<string, unknown>>): unknown {
  const { stack, ...rest } = error;
  return error['type'] === 'AppError' ? rest : error;
}

function show(text: unknown): string {
  return String(text).replace(
    CONTROL,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
