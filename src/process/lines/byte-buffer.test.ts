import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteBuffer, decodeCut } from './byte-buffer.ts';

test('bytes are kept up to the limit and the rest is refused', () => {
  const buffer = createByteBuffer(5);
  expect([
    buffer.append(Buffer.from('abc')),
    buffer.append(Buffer.from('def')),
    buffer.append(Buffer.from('g')),
  ]).toEqual([3, 2, 0]);
  expect(buffer.view().toString()).toBe('abcde');
  buffer.clear();
  expect(buffer.length).toBe(0);
  expect(buffer.append(Buffer.from('xy'))).toBe(2);
  expect(buffer.view().toString()).toBe('xy');
});

test('text cut anywhere decodes to a prefix of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
      const whole = Buffer.from(text);
      const cut = decodeCut(whole.subarray(0, at % (whole.length + 1)));
      expect(text.startsWith(cut)).toBe(true);
      expect(Buffer.byteLength(cut)).toBeGreaterThan((at % (whole.length + 1)) - 4);
    }),
  );
});

test('bytes that are not UTF-8 at all are replaced', () => {
  expect(decodeCut(Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80, 0x80]))).toBe(`a${'\ufffd'.repeat(5)}`);
});
