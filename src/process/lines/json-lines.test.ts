import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonLineReader, formatJsonLine, parseJsonLine } from './json-lines.ts';

test.each([
  ['{"id":1}', { kind: 'message', value: { id: 1 } }],
  [' {"id":1} \r', { kind: 'message', value: { id: 1 } }],
  ['{"id":', { kind: 'malformed', reason: expect.any(String) }],
  ['[1]', { kind: 'malformed', reason: 'expected an object, got an array' }],
  ['null', { kind: 'malformed', reason: 'expected an object, got null' }],
  ['42', { kind: 'malformed', reason: 'expected an object, got number' }],
  ['warning: no config', { kind: 'noise' }],
  ['', { kind: 'noise' }],
])('%s', (line, expected) => {
  expect(parseJsonLine(line)).toEqual(expected);
});

test('what is formatted is one line and parses back', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (message) => {
      const line = formatJsonLine(message);
      expect(line).not.toContain('\n');
      expect(parseJsonLine(line)).toEqual({ kind: 'message', value: JSON.parse(JSON.stringify(message)) });
    }),
  );
});

test('a reader skips and counts what is no message', () => {
  const messages: unknown[] = [];
  const reports: unknown[] = [];
  const reader = createJsonLineReader({
    onMessage: (value) => messages.push(value),
    onMalformed: (line, _reason, count) => reports.push([line.length, count]),
    onNoise: (line, count) => reports.push([line, count]),
  });
  for (const line of ['hello', '{"a":1}', '{', `{${'x'.repeat(9_000)}`, '{"b":2}']) reader.read(line);
  expect(messages).toEqual([{ a: 1 }, { b: 2 }]);
  expect(reports).toEqual([
    ['hello', 1],
    [1, 1],
    [500, 2],
  ]);
  expect(reader.counts()).toEqual({ malformed: 2, noise: 1 });
});
