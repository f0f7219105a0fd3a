import { expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/doctor/run-program.ts';
import { readCodexVersion } from '../../../src/runners/codex/version.ts';

test.each([
  ['/bin/false app-server', { version: null, reason: '`/bin/false --version` failed: ' }],
  ['/nowhere/codex app-server', { version: null, reason: '/nowhere/codex was not found' }],
  ['/bin/echo 9.9.9', { version: null, reason: '`/bin/echo --version` names no Codex' }],
  ['npx -y @openai/codex app-server', { version: null, reason: 'npx fetches it when a run starts' }],
  ['npx -y @openai/codex@0.150.1 app-server', { version: '0.150.1' }],
])('the version of %s', async (command, expected) => {
  expect(await readCodexVersion(command, {}, runProgram)).toMatchObject(expected);
});
