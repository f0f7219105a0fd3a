import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { typesOfSchema } from './types-of-schema.mjs';

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const TYPES_FILE = at('src/runners/codex/generated/protocol.d.ts');

/** The types of the schema that is kept, laid out as every other source. */
export function formatTypes() {
  const types = typesOfSchema(JSON.parse(readFileSync(at('schema/codex/protocol.json'), 'utf8')));
  const args = [at('node_modules/@biomejs/biome/bin/biome'), 'format', `--stdin-file-path=${TYPES_FILE}`];
  return execFileSync(process.execPath, args, { input: types, encoding: 'utf8', cwd: at('') });
}
