/** One event of a server-sent stream, as it came. */
export interface SseEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Longest event taken; a server that sends more is not this API. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/** Cuts text into server-sent events, however it is chopped up on the way. Comments are skipped. */
export function createSseParser(onEvent: (event: SseEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    rest += text;
    if (rest.length > MAX_EVENT_LENGTH) throw new Error('an event of the stream is too long');
    // The part after the last blank line is incomplete; a lone CR at the end may be half a line break.
    const end = lastBreak(rest);
    if (end === 0) return;
    const complete = rest.slice(0, end);
    rest = rest.slice(end);
    for (const block of complete.split(/\r\n\r\n|\n\n|\r\r/)) {
      const event = parseBlock(block);
      if (event !== null) onEvent(event);
    }
  };
}

function lastBreak(text: string): number {
  const ends = ['\n\n', '\r\n\r\n', '\r\r'].map((boundary) => {
    const at = text.lastIndexOf(boundary);
    return at < 0 ? 0 : at + boundary.length;
  });
  return Math.max(...ends);
}

function parseBlock(block: string): SseEvent | null {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    if (line === '' || colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
