import type { SeedIssue } from '../contracts/tracker-fixture.ts';
import { createGiteaFixture } from '../fakes/gitea/fixture.ts';
import { createGithubFixture } from '../fakes/github/fixture.ts';
import type { BenchSubject, Load, OpenSubject } from './trackers-measure.ts';

const STATES =
  'active_states: [Todo, In Progress], terminal_states: [Done, Cancelled], inactive_states: [Backlog, Human Review]';

function seed(load: Load): readonly SeedIssue[] {
  return Array.from({ length: load.ready }, (_, index) => ({ key: `R${index}`, state: 'Todo' }));
}

/** Two active states; every candidate is read again one by one before it starts. */
function goRequests({ ready, cap, closed }: Load, pageSize: number, extra: number): number {
  const pages = (count: number): number => Math.max(1, Math.ceil(count / pageSize));
  return cap + pages(closed) + pages(ready) + 1 + (ready - cap) + extra;
}

type Fixture =
  | Awaited<ReturnType<typeof createGithubFixture>>
  | Awaited<ReturnType<typeof createGiteaFixture>>;

function openSubject(fixture: Fixture, kind: string, load: Load, doneLabel: string): OpenSubject {
  const { store, requests } = fixture.fake;
  for (let count = 0; count < load.closed; count += 1) store.add({ closed: true, labels: [doneLabel] });
  return {
    tracker: fixture.tracker,
    frontMatter: `tracker: {kind: ${kind}, api_key: $KEY, ${STATES}}\nrepo: {owner: octo, name: app, clone_url: /nowhere}`,
    environment: { KEY: 'dummy' },
    requests: () =>
      requests.map(({ address, status }) => ({
        notModified: status === 304,
        issues: [/\/issues\/(\d+)/.exec(address)?.[1] ?? []].flat(),
      })),
    stop: () => fixture.dispose(),
  };
}

export const github: BenchSubject = {
  name: 'github',
  open: async (load) => openSubject(await createGithubFixture(seed(load)), 'github', load, 'Done'),
  // Besides, one listing of pull requests for each of three listings, and two of inactive states.
  goRequests: (load) => goRequests(load, 100, 4),
  conditional: true,
};

export const gitea: BenchSubject = {
  name: 'gitea',
  open: async (load) => openSubject(await createGiteaFixture(seed(load)), 'gitea', load, 'aiops/done'),
  goRequests: (load) => goRequests(load, 50, 2),
  conditional: false,
};
