import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLinearSchema } from './lib/linear-schema.mjs';
import { root, runProgram, SetupError, say } from './lib/program.mjs';

/**
 * Run it to follow Linear: `node scripts/rebuild-linear-schema.mjs [version]`. Linear publishes its schema as the types
 * of its SDK; the part that the adapter, its tools and the tests use is turned back into GraphQL and committed.
 */
const version = process.argv[2] ?? '98.0.0';

await runProgram(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linear-schema-'));
  try {
    execFileSync('npm', ['pack', `@linear/sdk@${version}`, '--silent'], { cwd: folder, stdio: 'pipe' });
    execFileSync('tar', ['xzf', readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''], {
      cwd: folder,
    });
    const dist = join(folder, 'package', 'dist');
    const declarations = readdirSync(dist)
      .filter((name) => name.endsWith('.d.mts'))
      .map((name) => readFileSync(join(dist, name), 'utf8'))
      .find((text) => text.includes('\ntype Query = {'));
    if (declarations === undefined) throw new SetupError(`@linear/sdk ${version} has no type named Query`);
    const path = join(root, 'schema', 'linear', 'schema.graphql');
    writeFileSync(path, buildLinearSchema(declarations, version));
    say(`Wrote ${path}`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
