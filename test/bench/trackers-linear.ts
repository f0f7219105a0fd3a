import { createLinearFixture } from '../fakes/linear/fixture.ts';
import { FAKE_KEY } from '../fakes/linear/server.ts';
import type { BenchSubject } from './trackers-measure.ts';

const FRONT_MATTER = [
  'tracker:',
  '  kind: linear',
  '  project_slug: app-1a2b3c',
  '  active_states: [Todo, In Progress]',
  '  terminal_states: [Done, Cancelled]',
].join('\n');

/** A listing filters by project and states; everything else names issues by their ids. */
function idsIn(variables: Readonly<Record<string, unknown>>): readonly string[] {
  const { filter, id } = variables as { filter?: { id?: { in?: readonly string[] } }; id?: string };
  return filter?.id?.in ?? (id === undefined ? [] : [id]);
}

export const linear: BenchSubject = {
  name: 'linear',
  async open({ ready, closed }) {
    const fixture = await createLinearFixture([]);
    for (let count = 0; count < closed; count += 1) fixture.fake.store.addIssue({ state: 'Done' });
    for (let count = 0; count < ready; count += 1) fixture.fake.store.addIssue({ state: 'Todo' });
    return {
      tracker: fixture.tracker,
      frontMatter: FRONT_MATTER,
      environment: { LINEAR_API_KEY: FAKE_KEY },
      requests: () =>
        fixture.fake.requests.map(({ variables }) => ({ notModified: false, issues: idsIn(variables) })),
      stop: () => fixture.dispose(),
    };
  },
  goRequests({ ready, closed, cap }) {
    const waiting = ready - cap;
    const claims = Math.ceil(cap / 50) + Math.ceil(cap / 50);
    const finished = Math.max(1, Math.ceil(closed / 50)) + 1;
    const candidates = 2 * Math.max(1, Math.ceil(ready / 50));
    return claims + finished + candidates + 2 * Math.ceil(waiting / 50);
  },
  conditional: false,
};
