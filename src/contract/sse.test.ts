import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, type SseEvent } from './sse.ts';

function parse(...chunks: readonly string[]): SseEvent[] {
  const events: SseEvent[] = [];
  const push = createSseParser((event) => events.push(event));
  for (const chunk of chunks) push(chunk);
  return events;
}

describe('createSseParser', () => {
  it('reads id, event and data, and skips comments and what has no data', () => {
    expect(
      parse(': hello\n\nid: 7\nevent: patch\ndata: {"a":1}\n\nevent: empty\n\ndata:x\ndata: y\n\n'),
    ).toEqual([
      { id: '7', event: 'patch', data: '{"a":1}' },
      { id: null, event: 'message', data: 'x\ny' },
    ]);
  });

  it('keeps an incomplete event until the rest comes', () => {
    expect(parse('data: a', 'b\n')).toEqual([]);
    expect(parse('data: a', 'b\n', '\n')).toEqual([{ id: null, event: 'message', data: 'ab' }]);
  });

  it('gives the same events however the text is chopped up', () => {
    const text = 'id: 1\nevent: state\ndata: {"x":"ü"}\n\nevent: heartbeat\ndata: {}\n\nid: 2\ndata: z\n\n';
    const whole = parse(text);
    expect(whole).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...[...cuts].sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(parse(...chunks)).toEqual(whole);
      }),
    );
  });
});
