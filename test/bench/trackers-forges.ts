import type { SeedIssue } from '../contracts/tracker-stage.ts';
import { createGiteaStage } from '../fakes/gitea/stage.ts';
import { createGithubStage } from '../fakes/github/stage.ts';
import type { BenchSubject, Load, OpenSubject } from './trackers-harness.ts';

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

type Stage = Awaited<ReturnType<typeof createGithubStage>> | Awaited<ReturnType<typeof createGiteaStage>>;

function openSubject(stage: Stage, kind: string, load: Load, doneLabel: string): OpenSubject {
  const { store, requests } = stage.fake;
  for (let count = 0; count < load.closed; count += 1) store.add({ closed: true, labels: [doneLabel] });
  return {
    tracker: stage.tracker,
    frontMatter: `tracker: {kind: ${kind}, api_key: $KEY, ${STATES}}\nrepo: {owner: octo, name: app, clone_url: /nowhere}`,
    environment: { KEY: 'dummy' },
    requests: () =>
      requests.map(({ address, status }) => ({
        notModified: status === 304,
        issues: [/\/issues\/(\d+)/.exec(address)?.[1] ?? []].flat(),
      })),
    stop: () => stage.dispose(),
  };
}

export const github: BenchSubject = {
  name: 'github',
  open: async (load) => openSubject(await createGithubStage(seed(load)), 'github', load, 'Done'),
  // Besides, one listing of pull requests for each of three listings, and two of inactive states.
  goRequests: (load) => goRequests(load, 100, 4),
  conditional: true,
};

export const gitea: BenchSubject = {
  name: 'gitea',
  open: async (load) => openSubject(await createGiteaStage(seed(load)), 'gitea', load, 'aiops/done'),
  goRequests: (load) => goRequests(load, 50, 2),
  conditional: false,
};
