import type { PlannedTracker, TrackerSetup } from '../tracker-setup.ts';

interface ForgeWorkflow extends Pick<PlannedTracker, 'statesComment' | 'states' | 'laterKeys'> {
  /** As people call it. */
  readonly name: string;
  /** The label of an issue that an agent shall take. */
  readonly readyLabel: string;
}

/** A tracker whose issues are on the forge of the repository, with labels for states. */
export function forgeSetup(
  setup: Omit<TrackerSetup, 'plan' | 'title' | 'project'>,
  { name, readyLabel, ...workflow }: ForgeWorkflow,
): TrackerSetup {
  return {
    ...setup,
    title: `${name} issues`,
    project: 'owner/name of the repository whose issues are read',
    async plan({ endpoint, repository }) {
      const place = endpoint === null ? '' : ` at ${endpoint}`;
      return {
        description: `${name} ${repository?.owner}/${repository?.name}${place}`,
        keys: [],
        ...workflow,
        firstIssue: `(put the label ${readyLabel} on an issue)`,
      };
    },
  };
}
