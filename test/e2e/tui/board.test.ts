import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fixture } from '../cli/fixture.ts';
import { waitFor } from '../cli/wait.ts';
import { openFixture, startWorker } from '../cli/worker-fixture.ts';
import { hasTmux, openTerminal } from './tmux.ts';

const HOSTILE = '\u001B[2J\u001B[1;1HPWNED\u0007 \u202E 👩‍💻 日本語の題名';

/** A program in the place of the browser; it writes down what it is to open. */
function fakeBrowser(fixture: Fixture): { readonly env: Record<string, string>; opened(): string } {
  const folder = join(fixture.directory, 'bin');
  const file = join(fixture.directory, 'opened');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, '');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$1" >> '${file}'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  return { env: { PATH: `${folder}:${fixture.env['PATH']}` }, opened: () => readFileSync(file, 'utf8') };
}

/** Longer than any test takes. */
const LONG = { behaviour: 'turns', turns: 40, step_ms: 3000 };

describe.skipIf(!hasTmux)('aiops tui in a terminal', () => {
  test('every key does what the help says', async () => {
    const fixture = await openFixture({ agent: { max_concurrent_agents: 2, max_turns: 40 } });
    await fixture.writeIssue('RUN-1', { title: HOSTILE, priority: 1, mock: LONG });
    await fixture.writeIssue('ASK-1', {
      title: 'Choose a colour',
      priority: 2,
      mock: { behaviour: 'ask', question: 'Blue or green?' },
    });
    await fixture.writeIssue('NEXT-1', { title: 'Comes after', blockedBy: ['RUN-1'] });
    const worker = await startWorker(fixture);
    await worker.until('ASK-1 asks', ({ blocked }) => blocked.length === 1);
    const browser = fakeBrowser(fixture);
    const terminal = openTerminal(fixture, ['tui'], { columns: 100, rows: 30, env: browser.env });

    const first = await terminal.until(/● live[\s\S]*Running 1[\s\S]*Needs you 1[\s\S]*Waiting 1/);
    expect(first).toContain('blocked by RUN-1');
    expect(first).toContain('Blue or green?');
    expect(first).toMatch(/▸ ● RUN-1 +\S*\[2J\S*\[1;1HPWNED/);
    expect(terminal.screen()[0]).toMatch(/^╭─ aiops/);

    terminal.press('Down');
    await terminal.until(/▸ \? ASK-1/);
    terminal.press('Up');
    await terminal.until(/▸ ● RUN-1/);
    terminal.type('j');
    await terminal.until(/▸ \? ASK-1/);
    terminal.type('k');
    await terminal.until(/▸ ● RUN-1/);

    terminal.press('Enter');
    await terminal.until(/\[transcript\][\s\S]*activity +Step 1 of 40/);
    terminal.press('Tab');
    await terminal.until(/\[diff\][\s\S]*notes\/RUN-1\.md[\s\S]*\+- \[x\] step 1/);
    terminal.press('Tab');
    await terminal.until(/\[facts\][\s\S]*Workspace +\/\S+RUN-1/);
    terminal.press('Escape');
    await terminal.until('Running 1');

    terminal.type('m');
    await terminal.until('Message to RUN-1:');
    terminal.type('look here');
    await terminal.until('look here▏');
    terminal.press('Enter');
    await terminal.until(/╰─ (?!enter sends|message …).*(?:agent|RUN-1)/);

    terminal.type('p');
    await terminal.until(/PAUSED[\s\S]*! paused/);
    terminal.type('p');
    await terminal.until((text) => !text.includes('PAUSED'));

    terminal.type('o');
    await waitFor(
      'the page is opened',
      () => /^http:\/\/127\.0\.0\.1:\d+\/#code=\S+$/m.test(browser.opened()),
      {
        describe: browser.opened,
      },
    );

    terminal.type('/');
    await terminal.until('Filter: ▏');
    terminal.type('colour');
    await terminal.until((text) => text.includes('ASK-1') && !text.includes('NEXT-1'));
    terminal.press('Enter');
    await terminal.until('filter: colour (esc clears)');
    terminal.type('a');
    await terminal.until(/\? Blue or green\?\s+│ Answer ASK-1: ▏/);
    terminal.type('blue, please');
    terminal.press('Enter');
    await worker.until('the answer arrives', ({ blocked }) => blocked.length === 0);
    terminal.press('Escape');
    await terminal.until(/NEXT-1/);

    terminal.type('?');
    await terminal.until(/╭─ Keys[\s\S]*answer its question/);
    terminal.press('Escape');
    await terminal.until('● live');

    terminal.press('Home');
    await terminal.until(/▸ ● (?:ASK|RUN)-1/);
    terminal.type('/');
    terminal.type('RUN-1');
    terminal.press('Enter');
    await terminal.until(/▸ ● RUN-1/);
    terminal.type('s');
    await terminal.until('Stop the run of RUN-1?');
    terminal.type('n');
    await terminal.until((text) => !text.includes('Stop the run'));
    terminal.type('s');
    await terminal.until('Stop the run of RUN-1?');
    terminal.type('y');
    await terminal.until(/! RUN-1 .*stopped by hand/);
    terminal.type('r');
    await terminal.until(/● RUN-1/);

    terminal.type('q');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.isRestored()).toBe(true);
  });

  test('follows the size of the terminal, and shows no colours when told so', async () => {
    const fixture = await openFixture();
    await fixture.writeIssue('RUN-1', { title: 'A title that is somewhat longer than short', mock: LONG });
    await startWorker(fixture);
    const terminal = openTerminal(fixture, ['tui'], {
      columns: 80,
      rows: 24,
      env: { NO_COLOR: '1', CI: 'true' },
    });
    await terminal.until(/● live[\s\S]*RUN-1/);
    for (const [columns, rows] of [
      [60, 20],
      [200, 50],
      [40, 12],
      [120, 40],
    ] as const) {
      terminal.resize(columns, rows);
      const wide = (text: string): boolean => text.split('\n')[0]?.length === columns;
      await terminal.until(
        (text) => wide(text) && text.split('\n').length === rows && /\n╰─ .*quit/.test(text),
      );
      const lines = terminal.screen();
      expect(lines.filter((text) => text.startsWith('╭─'))).toHaveLength(1);
      expect(lines.filter((text) => text.startsWith('╰─'))).toHaveLength(1);
      expect(lines.at(-1)).toMatch(/^╰─/);
    }
    expect(terminal.coloured()).not.toContain('\u001B[');
  });

  test('waits for a worker, outlives its restart, and gives the terminal back at a signal', async () => {
    const fixture = await openFixture();
    const terminal = openTerminal(fixture, ['tui'], { env: { NO_COLOR: '1' } });
    await terminal.until(/no worker runs for[\s\S]*q leaves/);
    const first = await startWorker(fixture);
    await terminal.until('● live');
    await fixture.writeIssue('RUN-1', { title: 'First', mock: LONG });
    await terminal.until('● RUN-1');
    await first.end('SIGTERM');
    await terminal.until(/○ worker away[\s\S]*went away[\s\S]*RUN-1/);
    // At another address, with another token.
    const second = await startWorker(fixture);
    await terminal.until((text) => text.includes('● live') && text.includes(new URL(second.url).host));
    terminal.type('p');
    await terminal.until('PAUSED');
    terminal.signal('SIGTERM');
    expect(await terminal.ended()).toBe(143);
    expect(terminal.isRestored()).toBe(true);
  });

  test('gives the terminal back when it crashes, and says why on it', async () => {
    const fixture = await openFixture();
    await startWorker(fixture);
    const crash = join(fixture.directory, 'crash.cjs');
    writeFileSync(crash, "process.on('SIGUSR2', () => { throw new Error('a fault of the board'); });\n");
    const terminal = openTerminal(fixture, ['tui'], { env: { NODE_OPTIONS: `--require=${crash}` } });
    await terminal.until('● live');
    terminal.signal('SIGUSR2');
    expect(await terminal.ended()).not.toBe(0);
    expect(terminal.isRestored()).toBe(true);
    expect(terminal.screen().join('\n')).toContain('a fault of the board');
  });

  test('ends with Ctrl-C, and stays on the normal screen when asked to', async () => {
    const fixture = await openFixture();
    await startWorker(fixture);
    const terminal = openTerminal(fixture, ['tui', '--raw', '--interval', '200ms']);
    await terminal.until('● live');
    terminal.press('C-c');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.isRestored()).toBe(true);
    expect(terminal.screen().join('\n')).toContain('├─ Running');
  });
});
