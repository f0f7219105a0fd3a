import { afterEach, describe } from 'vitest';
import { trackerChangesContract } from './tracker-contract-changes.ts';
import { trackerReadsContract } from './tracker-contract-reads.ts';
import { trackerToolsContract } from './tracker-contract-tools.ts';
import type { OpenFixture, TrackerFixture, TrackerUnderTest } from './tracker-fixture.ts';

/** What every tracker must do (SPEC §11). Run it with `trackerContract({ name, create })`. */
export function trackerContract(subject: TrackerUnderTest): void {
  describe(`tracker contract: ${subject.name}`, () => {
    const fixtures: TrackerFixture[] = [];
    const open: OpenFixture = async (seed, { allowTerminal = true } = {}) => {
      const fixture = await subject.create(seed, { allowTerminal });
      fixtures.push(fixture);
      return fixture;
    };
    afterEach(async () => {
      for (const fixture of fixtures.splice(0)) await fixture.dispose();
    });
    trackerReadsContract(open);
    trackerToolsContract(open);
    trackerChangesContract(open, subject.watches ?? false);
  });
}
