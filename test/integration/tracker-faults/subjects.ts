import { type Clock, systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import type { SeedIssue, TrackerFixture } from '../../contracts/tracker-fixture.ts';
import type { FakeForge } from '../../fakes/forge/server.ts';
import { createGiteaFixture } from '../../fakes/gitea/fixture.ts';
import { createGithubFixture } from '../../fakes/github/fixture.ts';
import { createLinearFixture } from '../../fakes/linear/fixture.ts';
import { rewriting, withoutAlias, withoutNode } from './answers.ts';
import type { Read, WireFault } from './corpus.ts';

export interface FaultyFixture extends TrackerFixture {
  /** Every request of this read goes wrong from now on. */
  spoil(read: Read, fault: WireFault): void;
  /** Only the second page of a listing goes wrong. */
  spoilSecondPage(fault: WireFault): void;
  heal(): void;
  /** The issue's record is another one in every answer to this read; null takes its place. */
  corruptIn(read: 'listing' | 'refresh', key: string, values: Record<string, unknown> | null): void;
  /** A refresh is answered, but this issue's part of it fails. */
  omit(key: string): void;
  /** The issue leaves what the worker looks at, but still exists. */
  moveAway(key: string): void;
  /** The credential may no longer see the project or the repository; the tracker does not call that an error. */
  hideAll(): void;
  /** How many answers went wrong so far. */
  spoiled(): number;
}

export interface OpenOptions {
  /** Default: as the system's, but a second attempt follows the first at once. */
  readonly clock?: Clock;
  /** Issues besides those of every fixture, in Backlog. */
  readonly more?: number;
  /** Whether requests will hang: then they are given up soon. */
  readonly hangs?: boolean;
}

export interface FaultySubject {
  readonly name: string;
  open(options?: OpenOptions): Promise<FaultyFixture>;
  /** Front matter of a workflow for this tracker. */
  readonly frontMatter: string;
}

/** `blocked` waits for enough issues that its blockers take a request of their own on every tracker. */
const BLOCKERS = 6;

function seed(more = 0): readonly SeedIssue[] {
  const blockers = Array.from({ length: BLOCKERS }, (_, index) => `blocker${index}`);
  const common = { labels: ['ready'] };
  return [
    { key: 'running', state: 'In Progress', ...common },
    { key: 'free', state: 'Todo', ...common },
    { key: 'finished', state: 'Done', ...common },
    ...blockers.map((key) => ({ key, state: 'Backlog', ...common })),
    { key: 'blocked', state: 'Todo', blockedBy: blockers, ...common },
    ...Array.from({ length: more }, (_, index) => ({ key: `more${index}`, state: 'Backlog' })),
  ];
}

const STATES =
  'active_states: [Todo, In Progress], terminal_states: [Done, Cancelled], inactive_states: [Backlog, Human Review]';

export const linear: FaultySubject = {
  name: 'linear',
  frontMatter: `tracker: {kind: linear, api_key: $KEY, project_slug: app-1a2b3c, required_labels: [ready], ${STATES}}`,
  async open(options = {}) {
    const fixture = await createLinearFixture(seed(options.more), settings(options));
    const { fake } = fixture;
    const operations: Readonly<Record<Read, RegExp>> = {
      listing: /ListIssues/,
      refresh: /IssuesByIds/,
      terminal: /IssuesByIds/,
      blockers: /MoreBlockers/,
    };
    return {
      ...fixture,
      spoil: (read, fault) => fake.failOn(operations[read], fault),
      spoilSecondPage: (fault) => fake.failOn(/ListIssues.*"after":"/, fault),
      corruptIn: (read, key, values) =>
        fake.failOn(operations[read], rewriting({ id: fixture.idOf(key) }, values)),
      omit: (key) =>
        fake.failOn(operations.refresh, { kind: 'change', change: withoutNode(fixture.idOf(key)) }),
      moveAway(key) {
        fake.store.issue(fixture.idOf(key)).projectSlug = 'another-project';
      },
      hideAll() {
        fake.store.projectHidden = true;
      },
      heal: () => fake.heal(),
      spoiled: () => fake.spoiled,
    };
  },
};

function forgeFixture<T extends TrackerFixture & { readonly fake: FakeForge }>(
  fixture: T,
  reads: Readonly<Record<Read, RegExp>>,
  omit: (fake: FakeForge, number: number) => void,
): FaultyFixture {
  const { fake } = fixture;
  const always = 1_000_000;
  return {
    ...fixture,
    spoil: (read, fault) => fake.failNext(reads[read], fault, always),
    spoilSecondPage: (fault) => fake.failNext(/[?&]page=2/, fault, always),
    corruptIn: (read, key, values) =>
      fake.failNext(reads[read], rewriting({ number: Number(fixture.idOf(key)) }, values), always),
    omit: (key) => omit(fake, Number(fixture.idOf(key))),
    moveAway: (key) => fake.store.issues.delete(Number(fixture.idOf(key))),
    hideAll() {
      fake.store.hidden = true;
    },
    heal: () => fake.faults.splice(0),
    spoiled: () => fake.spoiled,
  };
}

export const github: FaultySubject = {
  name: 'github',
  frontMatter: `tracker: {kind: github, api_key: $KEY, required_labels: [ready], ${STATES}}\nrepo: {owner: octo, name: app, clone_url: /nowhere}`,
  async open(options = {}) {
    const reads = {
      listing: /GET [^?]*\/issues\?/,
      refresh: /graphql/,
      terminal: /graphql/,
      blockers: /blocked_by/,
    };
    const fixture = await createGithubFixture(seed(options.more), settings(options));
    return forgeFixture(fixture, reads, (fake, number) =>
      fake.failNext(/graphql/, { kind: 'change', change: (body) => withoutAlias(body, `i${number}`) }, 9),
    );
  },
};

export const gitea: FaultySubject = {
  name: 'gitea',
  frontMatter: `tracker: {kind: gitea, api_key: $KEY, required_labels: [ready], ${STATES}}\nrepo: {owner: octo, name: app, clone_url: /nowhere}`,
  async open(options = {}) {
    const reads = {
      listing: /GET [^?]*\/issues\?(?!.*since=)/,
      refresh: /\/issues\/\d+$|since=/,
      terminal: /\/issues\/\d+$|since=/,
      blockers: /\/dependencies/,
    };
    const fixture = await createGiteaFixture(seed(options.more), settings(options));
    return forgeFixture(fixture, reads, (fake, number) =>
      fake.failNext(new RegExp(`/issues/${number}$`), { kind: 'answer', status: 500, body: '{}' }, 9),
    );
  },
};

export const SUBJECTS: readonly FaultySubject[] = [linear, github, gitea];

/** The wait between two attempts is skipped; what `now` passes over has really passed. */
export function impatientClock(now: () => number = systemClock.now): Clock {
  return {
    ...systemClock,
    now,
    elapsed: now,
    paused: () => 0,
    setTimer: (delayMs, callback) => systemClock.setTimer(delayMs <= 250 ? 0 : delayMs, callback),
  };
}

function settings({ clock = impatientClock(), hangs = false }: OpenOptions) {
  return { timeoutMs: hangs ? 1_500 : 20_000, clock, governor: createGovernor({ clock }) };
}
