import type { Issue, RefreshOutcome } from '../../src/domain/issue.ts';
import type { ToolResult } from '../../src/domain/tool.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';

/** An issue to put into the tracker before a test, in words every tracker has. */
export interface SeedIssue {
  /** `A`, `B` …: the test's own name for it; the tracker may know it by another identifier. */
  readonly key: string;
  readonly title?: string;
  readonly state: string;
  readonly description?: string;
  readonly priority?: number;
  readonly labels?: readonly string[];
  /** Keys of other seeded issues. */
  readonly blockedBy?: readonly string[];
}

/** States the tracker under test must be configured with. */
export const CONTRACT_STATES = {
  active: ['Todo', 'In Progress'],
  terminal: ['Done', 'Cancelled'],
  inactive: ['Backlog', 'Human Review'],
} as const;

/** A tracker with seeded issues, and the hands of a person who works with it. */
export interface TrackerFixture {
  readonly tracker: Tracker;
  /** The id the tracker gives to a seeded issue. */
  idOf(key: string): string;
  /** A person moves an issue. */
  move(key: string, state: string): Promise<void>;
  /** The record can no longer be made into a valid issue, but is still there. */
  corrupt(key: string): Promise<void>;
  /** The issue is deleted, or leaves the scope. */
  remove(key: string): Promise<void>;
  /** From now on the provider does not answer at all. */
  breakDown(): Promise<void>;
  /** Texts of the comments that a person sees on an issue. */
  comments(key: string): Promise<readonly string[]>;
  /** How many warnings the adapter has logged. */
  warnings(): number;
  dispose(): Promise<void>;
  /** Labels that this tracker uses for states and priorities, lower-case; other trackers have none. */
  readonly markerLabels?: readonly string[];
}

/** The labels people gave an issue. */
export function plainLabels(
  fixture: TrackerFixture,
  issue: Issue | undefined,
): readonly string[] | undefined {
  return issue?.labels.filter((label) => fixture.markerLabels?.includes(label) !== true);
}

export interface TrackerUnderTest {
  readonly name: string;
  /** Whether the tracker tells of changes by itself. Default false. */
  readonly watches?: boolean;
  create(seed: readonly SeedIssue[], settings: ContractSettings): Promise<TrackerFixture>;
}

/** Settings that every tracker has. */
export interface ContractSettings {
  /** Whether an agent may move its issue into a terminal state. */
  readonly allowTerminal: boolean;
}

export type OpenFixture = (
  seed: readonly SeedIssue[],
  settings?: Partial<ContractSettings>,
) => Promise<TrackerFixture>;

export const never = new AbortController().signal;

/** The snapshot of one seeded issue, which must be readable. */
export async function currentIssue(fixture: TrackerFixture, key: string): Promise<Issue> {
  const outcome = await outcomeOf(fixture, key);
  if (outcome?.kind !== 'current') throw new Error(`issue ${key} is ${JSON.stringify(outcome)}`);
  return outcome.issue;
}

export async function outcomeOf(fixture: TrackerFixture, key: string): Promise<RefreshOutcome | undefined> {
  const id = fixture.idOf(key);
  return (await fixture.tracker.fetchIssuesByIds([id], never)).get(id);
}

/** Calls a tool for the run of one seeded issue. */
export async function callTool(
  fixture: TrackerFixture,
  key: string,
  name: string,
  input: unknown,
): Promise<ToolResult> {
  const issue = await currentIssue(fixture, key);
  return fixture.tracker.tools.execute({ name, arguments: input }, { issue, signal: never });
}
