import { describe, expect, it } from 'vitest';
import { countTests, unsteadyTests } from './count-reporter.mjs';

function moduleOf({ states = [], errors = [], suiteErrors = [] }) {
  return {
    errors: () => errors,
    children: {
      allSuites: () => [{ errors: () => suiteErrors }],
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
    },
  };
}

describe('countTests', () => {
  it('adds up the states of all files', () => {
    const modules = [moduleOf({ states: ['passed', 'failed', 'passed'] }), moduleOf({ states: ['skipped'] })];
    expect(countTests(modules, [])).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('counts a test that never ended as failed', () => {
    expect(countTests([moduleOf({ states: ['passed', 'pending'] })], [])).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it('counts files and suites that break outside of their tests, and errors nobody caught', () => {
    const modules = [
      moduleOf({ errors: ['syntax error'] }),
      moduleOf({ states: ['passed'], suiteErrors: ['hook'] }),
    ];
    expect(countTests(modules, ['unhandled rejection'])).toEqual({ passed: 1, failed: 3, skipped: 0 });
  });
});

it('names the tests that passed only when they were run again, and why they did not at first', () => {
  const test = (fullName, flaky) => ({
    fullName,
    diagnostic: () => ({ flaky }),
    result: () => ({ errors: [{ message: 'expected 1\n to be 2' }] }),
  });
  const tests = [test('steady', false), test('group > unsteady', true), { diagnostic: () => undefined }];
  expect(unsteadyTests([{ relativeModuleId: 'a.test.ts', children: { allTests: () => tests } }])).toEqual([
    'a.test.ts > group > unsteady: expected 1 to be 2',
  ]);
});
