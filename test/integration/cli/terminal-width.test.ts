import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { widthOf } from '../../../src/cli/terminal/text-width.ts';
import { runInProcess } from '../../fakes/in-process-cli.ts';

const TITLE =
  'Let the page say why an issue of a closed milestone does not run, and what a person can do about it';
const WORKFLOW = `---
tracker: {kind: local, path: issues}
agent: {default: mock}
---
Do it.
`;

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terminal-width-'));
  writeFileSync(join(folder, 'WORKFLOW.md'), WORKFLOW);
  await cli(['issue', 'new', TITLE], null);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function cli(args: readonly string[], columns: number | null): Promise<string> {
  const { code, out, err } = await runInProcess(args, {
    environment: { HOME: folder, XDG_STATE_HOME: join(folder, 'state') },
    cwd: folder,
    interactive: columns !== null,
    columns: () => columns,
    outputColumns: () => columns,
  });
  expect([code, err]).toEqual([0, '']);
  // Colours are for terminals only, and take no room there.
  if (columns === null) expect(out).not.toContain('\u001B');
  return stripVTControlCharacters(out);
}

it.each([[['issue', 'list']], [['issues']], [['issues', '--explain']]])(
  'aiops %j has one line for each issue, its title cut to the terminal, whole when piped or as JSON',
  async (command) => {
    const shown = await cli(command, 60);
    const lines = shown.split('\n').filter((line) => !line.includes(folder));
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
    const about = lines.filter((line) => line.startsWith('TASK-1 '));
    expect(about).toEqual([expect.stringMatching(/ {2}Let the page .*…$/)]);
    expect(lines.indexOf(about[0] ?? '')).toBe(1);
    expect(shown).not.toContain('about it');
    expect(await cli(command, null)).toContain(TITLE);
    expect(await cli([...command, '--json'], 60)).toContain(TITLE);
  },
);

it('keeps what an issue waits for, however long its title is', async () => {
  await cli(['issue', 'new', TITLE, '--label', 'bug', '--blocked-by', 'TASK-1'], null);
  const words = (await cli(['issue', 'list'], 80)).split(/\s+/).join(' ');
  expect(words).toContain('blocked by TASK-1 (Todo)');
  expect(await cli(['issue', 'list'], null)).toMatch(/about it {2}bug +blocked by TASK-1 \(Todo\)\n/);
});

it('aiops issue show has the whole title, in lines of the terminal', async () => {
  const shown = await cli(['issue', 'show', 'TASK-1'], 60);
  const lines = shown.split('\n').filter((line) => !line.includes(folder));
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
  const spoken = new Set(shown.split(/\s+/));
  expect(TITLE.split(' ').filter((word) => !spoken.has(word))).toEqual([]);
  expect(await cli(['issue', 'show', 'TASK-1', '--json'], 60)).toContain(TITLE);
});
