import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, runProgram } from './lib/program.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

/** Writes schema/openapi.json from the built contract. A test compares the two. */
await runProgram(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { openApiDocument } = await import(pathToFileURL(join(root, 'dist/contract/openapi.js')).href);
  await writeFile(join(root, 'schema', 'openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
  return 0;
});
