import { parseForeignJson } from '../../domain/nesting.ts';
import type { RunEvent } from '../../domain/run-event.ts';
import type { TimelineEntry } from '../journal.ts';
import { timelineEntrySchema } from '../schemas/run-event.ts';

/** Characters kept of one text: enough to understand it, too few for an agent to fill the disk with one message. */
const MAX_TEXT = 8_000;
const MAX_PROMPT = 30_000;
const MAX_LINE = 64_000;

/** `event` as `formatEvent` made it. */
export function formatLine(seq: number, at: number, event: string): string {
  return `{"seq":${seq},"at":${Math.round(at)},"event":${event}}\n`;
}

/** The event as JSON, with long texts cut; of a prompt, which is the worker's own, more is kept. */
export function formatEvent(event: RunEvent): string {
  const whole = JSON.stringify(event);
  if (whole.length <= MAX_TEXT) return whole;
  const most = event.type === 'prompt' ? MAX_PROMPT : MAX_TEXT;
  const cut = JSON.stringify(event, (_key, value: unknown) =>
    typeof value === 'string' ? cutText(value, most) : value,
  );
  if (cut.length <= MAX_LINE) return cut;
  const standIn: RunEvent = { type: 'agent', event: { type: 'malformed', bytes: whole.length } };
  return JSON.stringify(standIn);
}

/** Null for a line that is not a timeline entry. */
export function parseLine(line: string): TimelineEntry | null {
  try {
    const parsed = timelineEntrySchema.safeParse(parseForeignJson(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The entry's number without parsing the rest; null when the line does not begin like one. */
export function seqOfLine(line: string): number | null {
  const match = /^\{"seq":(\d{1,15}),/.exec(line);
  return match?.[1] === undefined ? null : Number(match[1]);
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… [${text.length - most} more characters]`;
}
