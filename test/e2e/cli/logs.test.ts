import { expect, it } from 'vitest';
import { openFixture, startWorker } from './worker-fixture.ts';

it('says what happens to an issue in JSON lines that name the issue, its run and its session (R-13.1-b, R-17.6-b, R-18.1-q, R-18.1-r)', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('LOG-1');
  const worker = await startWorker(fixture);
  await worker.until('LOG-1 is delivered', ({ ended }) =>
    ended.some(({ outcome }) => outcome === 'delivered'),
  );
  const exit = await worker.end('SIGTERM');

  expect(exit).toEqual({ code: 0, signal: null });
  expect(worker.stdout()).toBe('');
  expect(worker.stderr().endsWith('\n')).toBe(true);
  const log = worker.log();
  for (const line of log) {
    expect(line).toMatchObject({
      level: expect.stringMatching(/^(debug|info|warn|error)$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: expect.stringMatching(/\S/),
    });
  }
  const aboutIssues = log.filter(
    (line) => 'issue_id' in line || 'issue_identifier' in line || 'run_id' in line,
  );
  expect(aboutIssues.length).toBeGreaterThanOrEqual(3);
  for (const line of aboutIssues)
    expect(line).toMatchObject({ issue_id: 'LOG-1', issue_identifier: 'LOG-1' });
  const session = log.find(({ msg }) => msg === 'agent session started')?.['session_id'];
  expect(session).toMatch(/^mock-/);
  expect(log.find(({ msg }) => msg === 'completed')).toMatchObject({
    session_id: session,
    event: 'completed',
  });
  const order = ['worker ready', 'running', 'agent session started', 'completed', 'shutting down', 'stopped'];
  expect(log.map(({ msg }) => msg).filter((msg) => order.includes(String(msg)))).toEqual(order);
});
