import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/fakes/measured-time.ts';
import { createLineFramer, type LineFramerOptions } from './line-framer.ts';

type Frame = string | number;

/** Lines as strings, oversize lines as their length. */
function frame(chunks: readonly Uint8Array[], options: Partial<LineFramerOptions> = {}): Frame[] {
  const frames: Frame[] = [];
  const framer = createLineFramer({
    maxLineBytes: 1000,
    onLine: (line) => frames.push(line),
    onOversizeLine: (bytes) => frames.push(bytes),
    ...options,
  });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return frames;
}

const bytes = (text: string): Buffer => Buffer.from(text);

function cutAt(data: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const cuts = [0, ...positions.map((at) => at % (data.length + 1)).sort((a, b) => a - b), data.length];
  return cuts.slice(1).map((end, index) => data.subarray(cuts[index], end));
}

test.each([
  ['nothing', '', []],
  ['an empty line', '\n', ['']],
  ['LF and CRLF', 'a\nb\r\n\r\nc\n', ['a', 'b', '', 'c']],
  ['a carriage return inside a line', 'a\rb\n', ['a\rb']],
  ['a last line without an ending', 'a\nb', ['a', 'b']],
])('%s', (_name, text, expected) => {
  expect(frame([bytes(text)])).toEqual(expected);
});

test('a character split over chunks stays whole', () => {
  const data = bytes('€🙂\n');
  expect(frame([...data].map((byte) => Uint8Array.of(byte)))).toEqual(['€🙂']);
});

test('a line of exactly the cap passes, with either ending; one byte more does not', () => {
  expect(frame([bytes('1234\n1234\r\n12345\n12345\r\n1234')], { maxLineBytes: 4 })).toEqual([
    '1234',
    '1234',
    5,
    5,
    '1234',
  ]);
});

test('an oversize line that never ends is reported at the end', () => {
  expect(frame([bytes('12345'), bytes('678')], { maxLineBytes: 4 })).toEqual([8]);
});

test('cut instead of dropped: the head of the line, never half a character', () => {
  expect(frame([bytes('abc€def\nok\n')], { maxLineBytes: 4, cutOversize: true })).toEqual(['abc', 'ok']);
});

test('empty lines can be left out, however they are cut and whatever ends them', () => {
  const text = '\n\n{"a":1}\n\n\r\n{"b":2}\n\n';
  for (let at = 0; at <= text.length; at += 1) {
    const chunks = [bytes(text.slice(0, at)), bytes(text.slice(at))];
    expect(frame(chunks, { skipEmpty: true })).toEqual(['{"a":1}', '{"b":2}']);
  }
});

test('carriage returns as endings leave no empty lines', () => {
  const progress = bytes('1%\r2%\r\n\n3%\r\r4%');
  expect(frame([progress], { carriageReturnEnds: true })).toEqual(['1%', '2%', '3%', '4%']);
});

test('how the bytes are cut into chunks never matters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂', '\n', '\r', '\r\n', 'xxxxxxxx') });
  fc.assert(
    fc.property(text, fc.array(fc.nat()), fc.integer({ min: 1, max: 12 }), (input, cuts, maxLineBytes) => {
      const data = bytes(input);
      expect(frame(cutAt(data, cuts), { maxLineBytes })).toEqual(frame([data], { maxLineBytes }));
    }),
  );
});

test('arbitrary bytes give the lines a plain split would', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (data, cuts) => {
      const expected = Buffer.from(data).toString('latin1').split('\n');
      if (expected.at(-1) === '') expected.pop();
      const lines = expected.map((line) => Buffer.from(line.replace(/\r$/, ''), 'latin1').toString('utf8'));
      expect(frame(cutAt(data, cuts))).toEqual(lines);
    }),
  );
});

test('2 MB arriving byte by byte and as one line take time linear in their size', async () => {
  const one = Buffer.from('x');
  const spend = (count: number): Promise<number> =>
    cpuMs(() => {
      let length = 0;
      const framer = createLineFramer({ maxLineBytes: 10_000_000, onLine: (line) => (length = line.length) });
      for (let sent = 0; sent < count; sent += 1) framer.push(one);
      framer.end();
      expect(length).toBe(count);
    });
  await spend(100_000);
  const small = await spend(250_000);
  // Quadratic time would be 64 times as long.
  expect(await spend(2_000_000)).toBeLessThan(30 * Math.max(small, 10));
});
