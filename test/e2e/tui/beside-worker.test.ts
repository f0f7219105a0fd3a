import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../cli/wait.ts';
import { openFixture } from '../cli/worker-fixture.ts';
import { hasTmux, openTerminal } from './tmux.ts';

const LONG = { behaviour: 'turns', turns: 3, step_ms: 3000 };

describe.skipIf(!hasTmux)('the board beside its worker', () => {
  test('shows what the worker says without being torn by it, and q stops the worker', async () => {
    const fixture = await openFixture();
    await fixture.writeIssue('RUN-1', { title: 'A job', mock: LONG });
    const terminal = openTerminal(fixture, ['worker', '--tui', '--port', '-1', fixture.workflowPath], {
      columns: 100,
      rows: 30,
    });
    const text = await terminal.until(/● live[\s\S]*Running 1[\s\S]*├─ Log[\s\S]*RUN-1 +turn 1: Step 1 of 3/);
    expect(text).toContain('Page off');
    expect(terminal.screen().filter((line) => /^[╭╰]/.test(line))).toHaveLength(2);
    terminal.type('p');
    await terminal.until('PAUSED');
    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.isRestored()).toBe(true);
    expect(terminal.screen().join('\n')).toMatch(/stopping: ending the agents of RUN-1[\s\S]*stopped/);
    expect(fixture.agents()).toEqual([]);
  });

  test('a second Ctrl-C ends what does not want to end', async () => {
    const fixture = await openFixture({ hooks: { after_run: 'sleep 60', timeout_ms: 120_000 } });
    await fixture.writeIssue('RUN-1', { title: 'A job', mock: LONG });
    const terminal = openTerminal(fixture, ['worker', '--tui', '--port', '0', fixture.workflowPath]);
    await terminal.until(/Running 1[\s\S]*Step 1 of 3/);
    terminal.press('C-c');
    await terminal.until('Ctrl-C again ends them at once');
    terminal.press('C-c');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.isRestored()).toBe(true);
  });

  test.each([
    ['worker', (path: string) => ['worker', '--tui', '--port', '-1', path], 'Step 1 of 3'],
    ['demo', () => ['demo', '--tui'], 'DEMO-1'],
  ])(
    'a terminal that is closed ends the %s as a signal does: nobody is left behind',
    async (_, args, begun) => {
      const fixture = await openFixture();
      await fixture.writeIssue('RUN-1', { title: 'A job', mock: LONG });
      const terminal = openTerminal(fixture, args(fixture.workflowPath));
      await terminal.until(begun);
      terminal.hangUp();
      await waitFor('everything ends', () => fixture.processes().length === 0, {
        describe: () =>
          fixture
            .processes()
            .map(({ command }) => command)
            .join('\n'),
      });
      expect(fixture.agents()).toEqual([]);
    },
  );

  test('gives way to a fault of the worker, which is then read on the terminal', async () => {
    const fixture = await openFixture();
    const crash = join(fixture.directory, 'crash.cjs');
    writeFileSync(crash, "process.on('SIGUSR2', () => { throw new Error('a fault of the worker'); });\n");
    const env = { NODE_OPTIONS: `--require=${crash}` };
    const terminal = openTerminal(fixture, ['worker', '--tui', '--port', '-1', fixture.workflowPath], {
      env,
    });
    await terminal.until('● live');
    terminal.signal('SIGUSR2');
    expect(await terminal.ended()).toBe(70);
    expect(terminal.isRestored()).toBe(true);
    expect(terminal.screen().join('\n')).toContain('a fault of the worker');
  });

  test('is shown because the workflow says so, unless the command line says otherwise', async () => {
    const fixture = await openFixture({ observability: { dashboard_enabled: true, refresh_ms: 200 } });
    const board = openTerminal(fixture, ['worker', '--port', '-1', fixture.workflowPath]);
    await board.until('● live');
    board.press('C-c');
    expect(await board.ended()).toBe(0);
    const lines = openTerminal(fixture, ['worker', '--no-tui', '--port', '-1', fixture.workflowPath]);
    await lines.until(/journal|watching|poll/i);
    expect(lines.screen().join('\n')).not.toContain('╭─ aiops');
    lines.press('C-c');
    expect(await lines.ended()).toBe(0);
  });

  test('the demo plays on it', async () => {
    const fixture = await openFixture();
    const terminal = openTerminal(fixture, ['demo', '--tui'], { columns: 120, rows: 40 });
    await terminal.until(/● live[\s\S]*DEMO-1/);
    await terminal.until('The demo is done', 90_000);
    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().join('\n')).toMatch(/ok +DEMO-1 +Done/);
  });
});
