import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { goState } from '../../fakes/go-state.ts';
import { CLI, runCli } from '../cli/cli.ts';
import { openFixture, startWorker } from '../cli/worker-fixture.ts';
import { hasTmux, openTerminal } from './tmux.ts';

/** A Go worker: `/api/v1/state` and nothing else that the board asks for. */
async function serveGoState(state: () => unknown): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/api/v1/state') response.end(JSON.stringify(state()));
    else {
      response.statusCode = 404;
      response.end(JSON.stringify({ error: { code: 'issue_not_found', message: 'issue not found' } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('without a terminal one board is printed, as wide as asked, without colours', async () => {
  const fixture = await openFixture();
  await fixture.writeIssue('WAIT-1', { title: 'Waits', blockedBy: ['WAIT-2'] });
  await fixture.writeIssue('WAIT-2', { title: 'Is not ready', state: 'Backlog' });
  const worker = await startWorker(fixture);
  await worker.until('WAIT-1 waits', ({ waiting }) => waiting.length === 1);
  for (const args of [['tui'], ['tui', '--once']]) {
    const { code, stdout, stderr } = await runCli(args, {
      cwd: fixture.directory,
      env: { ...fixture.env, COLUMNS: '90' },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^╭─ aiops[\s\S]*No agent runs[\s\S]*Waiting 1[\s\S]*WAIT-1[\s\S]*blocked by WAIT-2/,
    );
    expect(stdout).not.toContain('\u001B');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(90);
  }
});

test('says what is wrong where there is no worker, no terminal or no sense', async () => {
  const fixture = await openFixture();
  const options = { cwd: fixture.directory, env: fixture.env };
  expect(await runCli(['tui', '--once'], options)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no worker runs for'),
  });
  expect(await runCli(['tui', '--interval', 'soon'], options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('5s, 500ms or 1m'),
  });
  expect(await runCli(['tui', '--url', 'ftp://x'], options)).toMatchObject({ code: 2 });
  expect(await runCli(['worker', '--tui', fixture.workflowPath], options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tui needs a terminal'),
  });
  expect(await runCli(['worker', '--tui', '--once', fixture.workflowPath], options)).toMatchObject({
    code: 2,
  });
  expect(await runCli(['demo', '--tui'], options)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tui needs a terminal'),
  });
});

test('only a board loads Ink and React', () => {
  const folder = dirname(CLI);
  const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const texts = new Map(chunks.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const heavy = chunks.filter((name) =>
    /from ?"yoga-layout"|node_modules\/react\//.test(texts.get(name) ?? ''),
  );
  expect(heavy.length).toBeGreaterThan(0);
  const loaders = chunks.filter((name) =>
    heavy.some((part) => new RegExp(`(?:from|import) ?"\\./${part}"`).test(texts.get(name) ?? '')),
  );
  expect(loaders.filter((name) => !heavy.includes(name))).toEqual([]);
});

describe.skipIf(!hasTmux)('a Go worker', () => {
  test('is shown without a blank, polled, and can only be looked at', async () => {
    const fixture = await openFixture();
    const url = await serveGoState(goState);
    const terminal = openTerminal(fixture, ['tui', '--url', url, '--interval', '200ms'], {
      columns: 160,
      rows: 45,
    });
    const text = await terminal.until(/◐ polling[\s\S]*ENG-41[\s\S]*ENG-9[\s\S]*╰─/);
    expect(text).toMatch(/Agents 2\/4 +Throughput/);
    expect(text).toMatch(/Rate limits codex \| primary 41% used/);
    expect(text).toMatch(/ENG-9 +.*clone failed/);
    terminal.type('p');
    await terminal.until('this worker can only be looked at');
    terminal.press('Enter');
    await terminal.until('has no transcript or diff');
    terminal.press('Escape');
    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
  });

  test('with 500 rows can be gone through to its end', async () => {
    const fixture = await openFixture();
    const retrying = Array.from({ length: 500 }, (_, index) => ({
      issue_id: `r${index}`,
      issue_identifier: `ENG-${1000 + index}`,
      attempt: 1,
      due_at: new Date(Date.parse('2026-07-01T10:00:00Z') + index * 1000).toISOString(),
      kind: 'failure',
      error: '\u001B[31mred\u001B[0m\r\n\u0007bell',
    }));
    const url = await serveGoState(() => ({ ...goState(), retrying, completed_session_usage: null }));
    const terminal = openTerminal(fixture, ['tui', '--url', url], { columns: 80, rows: 24 });
    await terminal.until(/Retrying 500 · 1–/);
    terminal.type('G');
    const text = await terminal.until(/▸ ↻ ENG-1499/);
    expect(text).toMatch(/Retrying 500 · \d+–500/);
    expect(text).toContain('Running 2');
    terminal.press('PageUp');
    await terminal.until((screen) => !screen.includes('ENG-1499'));
    terminal.type('/');
    terminal.type('ENG-1250');
    terminal.press('Enter');
    await terminal.until(/▸ ↻ ENG-1250[\s\S]*\[31mred/);
  });
});
