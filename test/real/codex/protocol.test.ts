import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../src/cli/doctor/run-program.ts';
import { CODEX_VERSION } from '../../../src/runners/codex/protocol.ts';
import { readCodexVersion } from '../../../src/runners/codex/version.ts';
import { codexBinary } from './codex-fixture.ts';
import { extractSchema } from './extract-schema.mjs';

const SCHEMA = new URL('../../../schema/codex/protocol.json', import.meta.url);

describe.runIf(codexBinary !== null)('R-10-a R-10-b the pinned protocol', () => {
  const binary = codexBinary ?? '';

  test('is what the program itself generates', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aiops-codex-schema-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    execFileSync(binary, ['app-server', 'generate-json-schema', '--experimental', '--out', folder], { env });
    const bundle = JSON.parse(readFileSync(join(folder, 'codex_app_server_protocol.schemas.json'), 'utf8'));
    expect(JSON.parse(readFileSync(SCHEMA, 'utf8'))).toEqual(extractSchema(bundle, CODEX_VERSION));
  });

  test('is of the version that is tested, and to look changes nothing', async () => {
    // Not below /tmp, where Codex would leave nothing anyway.
    const home = mkdtempSync('/var/tmp/aiops-codex-home-');
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    expect(await readCodexVersion(`${binary} app-server`, env, runProgram)).toEqual({
      version: CODEX_VERSION,
      reason: '',
      tested: CODEX_VERSION,
    });
    expect(readdirSync(home)).toEqual([]);
  });
});
