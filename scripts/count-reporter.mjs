import { writeFileSync } from 'node:fs';

const MAX_REASON = 2_000;

/**
 * Counts every test once and writes the numbers to the file named by AIOPS_TEST_COUNT_FILE. Names the tests that failed first and
 * passed when they were run again.
 */
export default class CountReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const path = process.env.AIOPS_TEST_COUNT_FILE;
    if (path) writeFileSync(path, JSON.stringify(countTests(testModules, unhandledErrors)));
    // On lines of their own and last, for whoever reads a long log.
    for (const name of unsteadyTests(testModules)) console.log(`UNSTEADY ${name}`);
  }
}

/**
 * A test that never ended is a failure, and so are a file or suite that broke outside of its tests and an error
 * nobody caught: none of them may hide behind tests that passed.
 */
export function countTests(testModules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const testModule of testModules) {
    counts.failed += testModule.errors().length;
    for (const suite of testModule.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      counts[state === 'passed' || state === 'skipped' ? state : 'failed'] += 1;
    }
  }
  return counts;
}

export function unsteadyTests(testModules) {
  return testModules.flatMap((testModule) =>
    [...testModule.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => {
        const why = test.result().errors?.[0]?.message ?? 'without a reason';
        return `${testModule.relativeModuleId} > ${test.fullName}: ${why.replaceAll(/\s+/g, ' ').slice(0, MAX_REASON)}`;
      }),
  );
}
