import { chmod, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cpuMs } from '../../fakes/measured-time.ts';
import { issueText, never, openTracker, temporaryFolder, writeIssue } from './fixture.ts';

const ACTIVE = ['Todo', 'In Progress'];

it('reads thousands of files once, then only looks whether they changed', async () => {
  const folder = await temporaryFolder();
  const longAgo = new Date('2026-01-01');
  const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
  for (const number of numbers) {
    const more = `labels: [bug, ui]\nblocked_by: [T-${number + 1}]\n`;
    await utimes(
      await writeIssue(folder, `T-${number}`, issueText('Todo', more, '\nText.\n')),
      longAgo,
      longAgo,
    );
  }
  const tracker = openTracker(folder);
  const poll = (): Promise<number> =>
    cpuMs(async () => {
      const issues = await tracker.fetchIssuesByStates(ACTIVE, never);
      expect(issues.map((issue) => issue.id)).toEqual(numbers.map((number) => `T-${number}`));
    });
  const cold = await poll();
  const warm = Math.min(await poll(), await poll(), await poll());
  expect(warm).toBeLessThan(cold / 2);

  await writeIssue(folder, 'T-7', issueText('In Progress'));
  const issues = await tracker.fetchIssuesByStates(['In Progress'], never);
  expect(issues.map((issue) => issue.id)).toEqual(['T-7']);
});

it('sees two saves in the same moment with the same length', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1', issueText('Todo'));
  const tracker = openTracker(folder);
  for (let round = 0; round < 50; round += 1) {
    const state = round % 2 === 0 ? 'Todo' : 'Done';
    await writeFile(path, issueText(state));
    expect(await tracker.fetchIssuesByStates([state], never)).toHaveLength(1);
  }
});

it('gives blockers, assignment and times their meaning', async () => {
  const folder = await temporaryFolder();
  await writeIssue(folder, 'T-1', issueText('Done'));
  await writeIssue(folder, 'T-2', issueText('Todo', 'blocked_by: [t-1, T-3, T-2, T-9]\nassignee: Ada\n'));
  await writeIssue(folder, 'T-3', issueText('Human Review'));
  await writeIssue(
    folder,
    'T-4',
    issueText('Todo', 'created_at: 2026-03-01T10:00:00+02:00\nupdated_at: soon\n'),
  );
  const tracker = openTracker(folder, { assignee: 'ada' });
  const [blocked, unassigned] = await tracker.fetchIssuesByStates(['Todo'], never);
  expect(blocked).toMatchObject({
    assigneeId: 'Ada',
    dispatchable: false,
    undispatchableReason: 'blocked by T-3 (Human Review), T-2 (itself), T-9 (no such issue)',
    blockedBy: [
      { id: 'T-1', identifier: 'T-1', state: 'Done' },
      { id: 'T-3', identifier: 'T-3', state: 'Human Review' },
      { id: 'T-2', identifier: 'T-2', state: 'Todo' },
      { id: null, identifier: 'T-9', state: null },
    ],
  });
  expect(unassigned).toMatchObject({
    dispatchable: false,
    undispatchableReason: 'not assigned to ada',
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: new Date(Number((await stat(join(folder, 'T-4.md'), { bigint: true })).mtimeMs)).toISOString(),
  });
});

it('lets the agent close an issue unless that is forbidden, and keeps the mode of the file', async () => {
  const folder = await temporaryFolder();
  const path = await writeIssue(folder, 'T-1');
  await chmod(path, 0o666);
  const call = { name: 'issue_move', arguments: { state: 'done' } };
  const strict = openTracker(folder, { allowTerminal: false });
  const [issue] = await strict.fetchIssuesByStates(ACTIVE, never);
  if (issue === undefined) throw new Error('no issue');
  expect(await strict.tools.execute(call, { issue, signal: never })).toMatchObject({
    success: false,
    error: { code: 'terminal_not_allowed', message: expect.stringContaining('Human Review') },
  });
  expect(await openTracker(folder).tools.execute(call, { issue, signal: never })).toMatchObject({
    success: true,
  });
  expect(await strict.fetchIssuesByStates(['Done'], never)).toHaveLength(1);
  expect((await stat(path)).mode & 0o777).toBe(0o666);
});
