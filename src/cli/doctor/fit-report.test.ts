import { expect, test } from 'vitest';
import { widthOf } from '../terminal/text-width.ts';
import { fitReport } from './fit-report.ts';

const REPORT = `ok    Node.js: Node.js 20.20.2
FAIL  Sign-in of codex: Codex is not signed in, and this is a rather long way of saying so in a report
      Fix: Run \`codex login\` as the user of the worker, then run this command again to see that it helped.

1 failure; 1 check passed.
`;

test('in a file the report is as it is', () => {
  expect(fitReport(REPORT, null, false)).toBe(REPORT);
});

test('on a terminal long lines go on under themselves, and no word is lost', () => {
  const shown = fitReport(REPORT, 60, false);
  expect(shown.split('\n').every((line) => widthOf(line) <= 60)).toBe(true);
  expect(shown.replace(/\s+/g, ' ')).toBe(REPORT.replace(/\s+/g, ' '));
  expect(shown).toContain('\n      a rather long way of saying so');
  expect(shown).toContain('\n\n1 failure; 1 check passed.\n');
});

test('each mark has its colour where colours are wanted', () => {
  const shown = fitReport(REPORT, 200, true);
  expect(shown).toContain('\u001B[31mFAIL\u001B[39m  Sign-in');
  expect(shown).toContain('\u001B[32mok\u001B[39m    Node.js');
});
