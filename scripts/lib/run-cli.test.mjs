import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from './program.mjs';

const program = `
  process.on('SIGINT', () => process.stdout.write('interrupted\\n'));
  process.on('SIGTERM', () => process.exit(7));
  setInterval(() => {}, 1000);
  process.stdout.write('ready ' + process.argv.slice(2).join(',') + '\\n');
`;

let folder;
let wrapper;
let output;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiops-run-cli-'));
  writeFileSync(join(folder, 'program.mjs'), program);
  const start = `
    import { runCli } from ${JSON.stringify(join(root, 'scripts', 'lib', 'run-cli.mjs'))};
    process.exit(await runCli(['one', 'two words'], ${JSON.stringify(join(folder, 'program.mjs'))}));
  `;
  output = '';
  // A group of its own stands for the terminal's foreground group.
  wrapper = spawn(process.execPath, ['--input-type=module', '--eval', start], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  wrapper.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
});

afterEach(() => {
  if (wrapper.exitCode === null) wrapper.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

function outputContains(text) {
  return new Promise((resolve) => {
    const check = () => output.includes(text) && resolve();
    wrapper.stdout.on('data', check);
    check();
  });
}

const exitCode = () => new Promise((resolve) => wrapper.on('close', resolve));

it('hands over the arguments, passes one Ctrl-C on once and returns the exit code', async () => {
  await outputContains('ready one,two words\n');
  const ended = exitCode();
  process.kill(-wrapper.pid, 'SIGINT'); // the terminal
  process.kill(wrapper.pid, 'SIGINT'); // npm
  await outputContains('interrupted');
  process.kill(wrapper.pid, 'SIGTERM');
  expect(await ended).toBe(7);
  expect(output.match(/interrupted/g)).toHaveLength(1);
});
