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

it.each([['issue', 'list'], ['issue', 'show', 'TASK-1'], ['issues'], ['issues', '--explain']])(
  'aiops %s %s fits its titles to the terminal, whole when piped or as JSON',
  async (...args) => {
    const command = args.filter((arg) => arg !== undefined);
    const shown = await cli(command, 60);
    const lines = shown.split('\n').filter((line) => !line.includes(folder));
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
    const spoken = new Set(shown.split(/\s+/));
    expect(TITLE.split(' ').filter((word) => !spoken.has(word))).toEqual([]);
    expect(await cli(command, null)).toContain(TITLE);
    expect(await cli([...command, '--json'], 60)).toContain(TITLE);
  },
);
