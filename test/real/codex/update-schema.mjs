import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractSchema } from './extract-schema.mjs';

/** For another version: `node test/real/codex/update-schema.mjs path/to/codex`. Writes the schema, and the types from it. */
const [binary = 'codex'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'aiops-codex-schema-'));
try {
  const version = /\d+\.\d+\.\d+\S*/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[0];
  execFileSync(binary, ['app-server', 'generate-json-schema', '--experimental', '--out', folder]);
  const bundle = JSON.parse(readFileSync(join(folder, 'codex_app_server_protocol.schemas.json'), 'utf8'));
  const target = fileURLToPath(new URL('../../../schema/codex/protocol.json', import.meta.url));
  writeFileSync(target, `${JSON.stringify(extractSchema(bundle, version), null, 2)}\n`);
  await import('./update-types.mjs');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
