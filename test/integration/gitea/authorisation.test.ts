import { expect, it, onTestFinished } from 'vitest';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { currentIssue, never } from '../../contracts/tracker-fixture.ts';
import { createGiteaFixture, type GiteaFixture } from '../../fakes/gitea/fixture.ts';
import { HOSTILE, LEGITIMATE, type ToolTry } from './requests.ts';

const PULLS = [
  { title: 'Mine', head: 'ai/3', headRepository: 'octo/app' },
  { title: 'About #3', head: 'feature', headRepository: 'octo/app' },
  { title: 'Closes #3', head: 'x', headRepository: 'evil/app' },
];

async function open(): Promise<{ on: GiteaFixture; use(attempt: ToolTry): Promise<ToolResult> }> {
  const on = await createGiteaFixture([
    { key: 'A', state: 'Todo' },
    { key: 'B', state: 'Todo' },
    { key: 'C', state: 'In Progress', labels: ['bug'] },
  ]);
  onTestFinished(() => on.dispose());
  for (const { title, ...pull } of PULLS) on.fake.store.add({ title, pull: { ...pull, base: 'main' } });
  const issue = await currentIssue(on, 'C');
  return {
    on,
    use: ([name, input]) => on.tracker.tools.execute({ name, arguments: input }, { issue, signal: never }),
  };
}

it('refuses every hostile call, sends nothing that writes, and changes nothing', async () => {
  const { on, use } = await open();
  expect(HOSTILE.length).toBeGreaterThanOrEqual(150);
  const before = JSON.stringify([...on.fake.store.issues]);
  const passed: ToolTry[] = [];
  for (const attempt of HOSTILE) {
    const sent = on.fake.requests.length;
    const result = await use(attempt);
    const harmless = on.fake.requests
      .slice(sent)
      .every(({ method, address }) => method === 'GET' && /\/pulls\/\d+$/.test(address));
    if (result.success || !harmless) passed.push(attempt);
    else expect(result.error.code).toMatch(/^(not_allowed|invalid_arguments|unknown_label)$/);
  }
  expect(passed).toEqual([]);
  expect(JSON.stringify([...on.fake.store.issues])).toBe(before);
});

it('lets every legitimate call through', async () => {
  const { use } = await open();
  const refused: unknown[] = [];
  for (const attempt of LEGITIMATE) {
    const result = await use(attempt);
    if (!result.success) refused.push([attempt, result.error]);
  }
  expect(refused).toEqual([]);
});
