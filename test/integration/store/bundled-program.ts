import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { bundleModule } from '../process/bundle.ts';

/** Inside the repository, so that a program there finds its packages. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** Makes a plain program out of a source file beside this one, for as long as the tests of a file run. */
export function bundledProgram(source: string): { path: string } {
  const program = { path: '' };
  let folder = '';
  beforeAll(async () => {
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'aiops-test-'));
    program.path = await bundleModule(`test/integration/store/${source}`, folder);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return program;
}
