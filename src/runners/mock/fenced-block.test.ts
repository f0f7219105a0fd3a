import { expect, test } from 'vitest';
import { quietCpuMs } from '../../../test/fakes/measured-time.ts';
import { findFencedBlock } from './fenced-block.ts';

test.each([
  ['no block', 'Just text.', { kind: 'none' }],
  ['another language', '```yaml\na: 1\n```', { kind: 'none' }],
  ['a block', 'Text\n```mock\na: 1\nb: 2\n```\nmore', { kind: 'found', text: 'a: 1\nb: 2' }],
  ['an empty block', '```mock\n```', { kind: 'found', text: '' }],
  ['line ends of Windows', '```mock\r\na: 1\r\n```\r\n', { kind: 'found', text: 'a: 1' }],
  ['tildes', '~~~ Mock\na: 1\n~~~', { kind: 'found', text: 'a: 1' }],
  ['a longer closing fence', '```mock\na: 1\n`````', { kind: 'found', text: 'a: 1' }],
  ['an example inside a longer fence', '````markdown\n```mock\na: 1\n```\n````', { kind: 'none' }],
  ['an indented code block', '    ```mock\n    a: 1\n    ```', { kind: 'none' }],
  ['no end', '```mock\na: 1\n', { kind: 'unclosed' }],
  ['a shorter closing fence', '````mock\na: 1\n```', { kind: 'unclosed' }],
  ['two blocks', '```mock\n```\n\n```mock\n```', { kind: 'several' }],
  ['inline code', 'Use ```mock``` here', { kind: 'none' }],
])('%s', (_name, markdown, expected) => {
  expect(findFencedBlock(markdown, 'mock')).toEqual(expected);
});

test('a long run of backticks is read in linear time', async () => {
  const hostile = `${'`'.repeat(200_000)}x\`\n`.repeat(5);
  const spent = await quietCpuMs(() => expect(findFencedBlock(hostile, 'mock')).toEqual({ kind: 'none' }));
  expect(spent).toBeLessThan(1000);
});
