import { afterEach, describe } from 'vitest';
import { trackerChangesContract } from './tracker-contract-changes.ts';
import { trackerReadsContract } from './tracker-contract-reads.ts';
import { trackerToolsContract } from './tracker-contract-tools.ts';
import type { OpenStage, TrackerStage, TrackerUnderTest } from './tracker-stage.ts';

/** What every tracker must do (SPEC §11). Run it with `trackerContract({ name, create })`. */
export function trackerContract(subject: TrackerUnderTest): void {
  describe(`tracker contract: ${subject.name}`, () => {
    const stages: TrackerStage[] = [];
    const open: OpenStage = async (seed) => {
      const stage = await subject.create(seed);
      stages.push(stage);
      return stage;
    };
    afterEach(async () => {
      for (const stage of stages.splice(0)) await stage.dispose();
    });
    trackerReadsContract(open);
    trackerToolsContract(open);
    trackerChangesContract(open, subject.watches ?? false);
  });
}
