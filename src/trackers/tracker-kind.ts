import type { TrackerConfig } from '../config/config.ts';
import type { TrackerSettings } from '../config/kinds.ts';
import type { Clock } from '../domain/clock.ts';
import type { Governors } from '../http/budget/governors.ts';
import type { Logger } from '../observability/logger.ts';
import type { LabelSetup } from './forge/states/label-setup.ts';
import type { StateLabel } from './forge/states/label-states.ts';
import type { Tracker } from './tracker.ts';
import type { TrackerSetup } from './tracker-setup.ts';

/** What the rest of the program knows of one kind of tracker. Its code is loaded only when a workflow asks for it. */
export interface TrackerKind {
  /** As `tracker.kind` names it. */
  readonly kind: string;
  /** Its keys in a workflow, and their defaults. */
  readonly settings: TrackerSettings;
  /** How `aiops init` sets it up. */
  readonly setup: TrackerSetup;
  /** What states are there: labels of a repository, or names that the tracker keeps; null when any name may be one. */
  readonly states: 'labels' | 'named' | null;
  /** How it signs and describes its webhooks; null when it sends none. */
  readonly webhook: WebhookFacts | null;
  /** The table of labels that stand for states; absent where a state is the label of its own name. */
  stateLabels?(config: TrackerConfig): readonly StateLabel[];
  load(): Promise<TrackerAdapter>;
}

export interface TrackerAdapter {
  create(config: TrackerConfig, dependencies: TrackerDependencies): Tracker;
  /** The labels of its states, where states are labels. */
  labelSetup?(config: TrackerConfig, dependencies: TrackerDependencies): LabelSetup;
  /** Names of the states that its issues can be in, where the tracker keeps them. */
  readStates?(config: TrackerConfig, signal: AbortSignal): Promise<readonly string[]>;
}

export interface TrackerDependencies {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Shared by all trackers of a worker; without it each tracker has a budget of its own. */
  readonly governors?: Governors;
}

export interface WebhookFacts {
  /** Headers that may carry the signature, the first one sent counts; with the text before its hexadecimal digits. */
  readonly signatures: readonly { readonly header: string; readonly prefix: string }[];
  readonly deliveryHeaders: readonly string[];
  readonly eventHeaders: readonly string[];
  /** Events after which a poll may see something new. */
  readonly waking: ReadonlySet<string>;
  /** Larger bodies are refused. */
  readonly maxBytes: number;
  /** True when the body says when it was sent. */
  readonly dated: boolean;
}
