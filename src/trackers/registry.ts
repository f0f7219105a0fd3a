import type { TrackerConfig } from '../config/config.ts';
import type { TrackerSettings } from '../config/kinds.ts';
import { AppError } from '../errors/app-error.ts';
import type { LabelSetup } from './forge/states/label-setup.ts';
import { GITEA_ISSUES } from './gitea/kind.ts';
import { GITHUB_ISSUES } from './github/kind.ts';
import { LINEAR } from './linear/kind.ts';
import { LOCAL } from './local/kind.ts';
import type { Tracker } from './tracker.ts';
import type { TrackerDependencies, TrackerKind } from './tracker-kind.ts';

/** Every tracker there is. */
export const TRACKER_KINDS: readonly TrackerKind[] = [LOCAL, LINEAR, GITHUB_ISSUES, GITEA_ISSUES];

/** The keys and defaults of all trackers, for reading a workflow. */
export const TRACKER_SETTINGS: readonly TrackerSettings[] = TRACKER_KINDS.map(({ settings }) => settings);

/** What is known of a tracker without loading it; undefined for a name that is none. */
export function trackerKind(name: string): TrackerKind | undefined {
  return TRACKER_KINDS.find(({ kind }) => kind === name);
}

/** Builds the tracker that `tracker.kind` names; only its adapter is loaded. */
export async function createTracker(
  config: TrackerConfig,
  dependencies: TrackerDependencies,
): Promise<Tracker> {
  return (await knownKind(config).load()).create(config, dependencies);
}

/** The labels that stand for states. Throws `usage` for a tracker whose states are no labels. */
export async function openLabelSetup(
  config: TrackerConfig,
  dependencies: TrackerDependencies,
): Promise<LabelSetup> {
  const { labelSetup } = await knownKind(config).load();
  if (labelSetup !== undefined) return labelSetup(config, dependencies);
  const labelled = TRACKER_KINDS.filter(({ states }) => states === 'labels').map(({ kind }) => kind);
  throw new AppError('usage', `Issues of kind ${config.kind} have no state labels.`, {
    hint: `Labels stand for states on ${labelled.join(' and ')} only.`,
  });
}

/** Names of the states that issues can be in; null when the tracker keeps no list of them. */
export async function readStates(
  config: TrackerConfig,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const { readStates: read } = await knownKind(config).load();
  return read === undefined ? null : read(config, signal);
}

function knownKind({ kind: name }: TrackerConfig): TrackerKind {
  const found = trackerKind(name);
  if (found !== undefined) return found;
  const supported = TRACKER_KINDS.map(({ kind }) => kind).join(', ');
  throw new AppError(
    'unsupported_tracker_kind',
    `tracker.kind ${JSON.stringify(name)} is not supported. Supported: ${supported}.`,
    { hint: `Set tracker.kind to one of: ${supported}.`, context: { kind: name } },
  );
}
