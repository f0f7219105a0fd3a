import { describe, expect, test } from 'vitest';
import { CLI } from '../cli/cli.ts';
import { openFixture, startWorker } from '../cli/worker-fixture.ts';
import { hasTmux, openShell, openTerminal } from './tmux.ts';

describe.skipIf(!hasTmux)('Ctrl-Z', () => {
  test('gives the terminal to the shell, and fg brings the board back', async () => {
    const fixture = await openFixture();
    await startWorker(fixture);
    const terminal = openShell(fixture, 'exec bash --norc --noprofile -i');
    await terminal.until(/[#$]/);
    terminal.type('PS1="she""ll> "');
    terminal.press('Enter');
    await terminal.until('shell>');
    terminal.type(`'${process.execPath}' '${CLI}' tui`);
    terminal.press('Enter');
    await terminal.until('● live');
    terminal.type('?');
    await terminal.until('ctrl-z');
    terminal.press('Escape');
    await terminal.until('● live');
    terminal.press('C-z');
    await terminal.until(/Stopped[\s\S]*shell>\s*$/);
    expect(terminal.isRestored()).toBe(true);
    // Letters are the shell's again, and are seen.
    terminal.type('echo is"-"typed');
    await terminal.until('echo is"-"typed');
    terminal.press('Enter');
    await terminal.until(/^is-typed$/m);
    await fixture.writeIssue('RUN-1', {
      title: 'Begun meanwhile',
      mock: { behaviour: 'hang', when: 'after_commit' },
    });
    terminal.type('fg');
    terminal.press('Enter');
    await terminal.until(/● live[\s\S]*Begun meanwhile/);
    terminal.press('C-z');
    await terminal.until(/Stopped[\s\S]*shell>\s*$/);
    terminal.type('fg');
    terminal.press('Enter');
    await terminal.until(/● live[\s\S]*Begun meanwhile/);
    terminal.type('q');
    await terminal.until(/shell>\s*$/);
    expect(terminal.isRestored()).toBe(true);
  });

  test('stops no worker that runs in the same terminal', async () => {
    const fixture = await openFixture();
    const args = ['worker', '--tui', '--port', '-1', fixture.workflowPath];
    const terminal = openTerminal(fixture, args, { columns: 100 });
    await terminal.until('● live');
    terminal.press('C-z');
    await terminal.until('it is not suspended');
    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
  });

  test('does no harm where no shell could bring the board back', async () => {
    const fixture = await openFixture();
    await startWorker(fixture);
    const terminal = openTerminal(fixture, ['tui']);
    await terminal.until('● live');
    terminal.press('C-z');
    await terminal.until((screen) => !screen.includes('● live'));
    await terminal.until('● live');
    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
  });
});
