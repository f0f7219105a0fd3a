import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../e2e/cli/wait.ts';
import { createRepository, type ForgeApi, forgeApi } from './forge-api.ts';
import { forge, missing, stopForge } from './real-forge.ts';

afterAll(stopForge);
const ROOT = '/repos/boss/changes';

/** The refresh of many claims relies on this: whatever matters to the worker moves `updated_at`, and `since` finds it. */
describe.skipIf(missing !== null)('what a real forge tells of changes', () => {
  let api: ForgeApi;
  let labels: ReadonlyMap<string, number>;

  beforeAll(async () => {
    api = forgeApi(await forge());
    labels = await createRepository(api, 'changes', ['aiops/todo', 'aiops/done']);
  });

  async function addIssue(title: string): Promise<number> {
    const made = await api.expect('POST', `${ROOT}/issues`, { title, labels: [labels.get('aiops/todo')] });
    return Number(made['number']);
  }

  async function changedAt(number: number): Promise<string> {
    return String((await api.expect('GET', `${ROOT}/issues/${number}`))['updated_at']);
  }

  const changes: Readonly<Record<string, (number: number, other: number) => Promise<unknown>>> = {
    'a label is added': (number) =>
      api.expect('POST', `${ROOT}/issues/${number}/labels`, { labels: [labels.get('aiops/done')] }),
    'a label is taken away': (number) =>
      api.expect('DELETE', `${ROOT}/issues/${number}/labels/${labels.get('aiops/todo')}`),
    'labels are replaced': (number) =>
      api.expect('PUT', `${ROOT}/issues/${number}/labels`, { labels: [labels.get('aiops/done')] }),
    'it is closed': (number) => api.expect('PATCH', `${ROOT}/issues/${number}`, { state: 'closed' }),
    'its text changes': (number) => api.expect('PATCH', `${ROOT}/issues/${number}`, { body: 'more' }),
    'it is assigned': (number) => api.expect('PATCH', `${ROOT}/issues/${number}`, { assignees: ['boss'] }),
    'it gets a blocker': (number, other) =>
      api.expect('POST', `${ROOT}/issues/${number}/dependencies`, {
        owner: 'boss',
        repo: 'changes',
        index: other,
      }),
  };

  it('finds each change in the list of issues changed since, and nothing else', async () => {
    const other = await addIssue('a blocker');
    const quiet = await addIssue('nothing happens to it');
    const numbers = new Map<string, number>();
    for (const name of Object.keys(changes)) numbers.set(name, await addIssue(name));
    const before = Date.parse(await changedAt([...numbers.values()].at(-1) ?? 0));
    // The forge counts in seconds.
    await waitFor('the next second', () => Date.now() > before + 2_000);
    for (const [name, change] of Object.entries(changes)) await change(numbers.get(name) ?? 0, other);
    for (const [name, number] of numbers)
      expect(Date.parse(await changedAt(number)), name).toBeGreaterThan(before);
    const since = new Date(before + 1_000).toISOString();
    const { json } = await api.call('GET', `${ROOT}/issues?type=issues&state=all&since=${since}&limit=50`);
    const listed = (json as { number: number }[]).map(({ number }) => number);
    expect(listed).toEqual(expect.arrayContaining([...numbers.values()]));
    expect(listed).not.toContain(quiet);
  });
});
