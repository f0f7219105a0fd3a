import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const PROGRAM = `
import { ApiError, createClient } from 'aiops-platform/client';
import { reduce } from 'aiops-platform/contract/reduce';

const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch });
const running: number | null = await client.state().then(
  (state) => state.counts.running,
  (error: unknown) => (error instanceof ApiError ? null : Promise.reject(error)),
);
// @ts-expect-error the contract has no such field
const nothing = () => client.state().then((state) => state.nothing);
console.log(JSON.stringify([running, typeof reduce, typeof nothing]));
`;

function runNode(cwd: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: 60_000 });
  } catch (error) {
    throw new Error(String(Reflect.get(Object(error), 'stdout') || error));
  }
}

it('other programs can use the typed client of the package', async () => {
  runNode(root, compiler, '-p', 'tsconfig.types.json');
  const directory = await mkdtemp(join(tmpdir(), 'aiops-client-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await mkdir(join(directory, 'node_modules'));
  await symlink(root, join(directory, 'node_modules', 'aiops-platform'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'use.ts'), PROGRAM);
  const options = { strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [] };
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['use.ts'] }),
  );
  expect(runNode(directory, compiler, '-p', 'tsconfig.json')).toBe('');
  expect(JSON.parse(runNode(directory, 'use.js'))).toEqual([null, 'function', 'function']);
});
