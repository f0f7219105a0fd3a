// Writes schema/workflow.schema.json and docs/config.md from the built schema, and docs/cli.md from the commands; with
// --check only compares.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliReferencePage } from '../dist/cli/reference-page.js';
import { WORKFLOW_FORMAT } from '../dist/cli/workflow-file.js';
import { workflowJsonSchema } from '../dist/config/show/json-schema.js';
import { configReferencePage } from '../dist/config/show/reference-page.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const files = {
  'schema/workflow.schema.json': workflowJsonSchema(WORKFLOW_FORMAT),
  'docs/config.md': configReferencePage(WORKFLOW_FORMAT),
  'docs/cli.md': await cliReferencePage(),
};

const check = process.argv.includes('--check');
const stale = [];
for (const [name, text] of Object.entries(files)) {
  const path = join(root, name);
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  stale.push(name);
  if (check) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(`wrote ${name}`);
}
if (check && stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}. Run: npm run docs:config`);
  process.exitCode = 1;
}
