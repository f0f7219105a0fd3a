import { decideTracker } from '../../../src/cli/init/decide/decide-tracker.ts';
import type { TrackerPlan } from '../../../src/cli/init/decide/plan.ts';
import type { Facts } from '../../../src/cli/init/detect/facts.ts';
import type { InitFlags } from '../../../src/cli/init/flags.ts';

/** A place in which nothing was found. */
export const NO_FACTS: Facts = {
  repository: null,
  forge: null,
  agents: [],
  project: { verify: [], setUp: null },
  variables: [],
  lender: null,
};

/** What `aiops init` plans for a tracker that the command line names, when nobody and no server can be asked. */
export function planTracker(
  tracker: string,
  flags: Pick<InitFlags, 'endpoint' | 'project'> = {},
): Promise<TrackerPlan> {
  const repository = {
    cloneUrl: '../app.git',
    folder: null,
    hadCredentials: false,
    defaultBranch: null,
    hasCommits: null,
  };
  const all = { tracker, ...flags };
  const switches = { yes: true, force: false, dryRun: false, offline: true, json: false };
  const asking = { questions: null, offline: true, environment: {}, tell: () => {} };
  return decideTracker(NO_FACTS, repository, { ...all, ...switches, all }, asking);
}
