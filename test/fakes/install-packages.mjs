import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs an agent's packages once into a folder outside of the repository, for nobody who only uses or changes this worker
 * needs hundreds of megabytes of agents. `find` answers what is wanted of that folder, or null when it is not there; that is
 * also the answer when nothing can be installed, and the suite then skips its tests.
 */
export async function provideFromPackages({ name, version, packages, find, parent = tmpdir() }) {
  const folder = join(parent, `aiops-${name}-${version}`);
  const present = find(folder);
  if (present !== null) return present;
  mkdirSync(parent, { recursive: true });
  const fresh = mkdtempSync(join(parent, `aiops-${name}-install-`));
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
    await promisify(execFile)('npm', args, { cwd: fresh, timeout: 300_000 });
    // Another run may have been faster.
    if (find(folder) === null) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(fresh, folder);
    }
  } catch (error) {
    process.stderr.write(`${packages.join(', ')} cannot be installed: ${error.message}\n`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  const found = find(folder);
  if (found === null) process.stderr.write(`The tests with the real ${name} are skipped.\n`);
  return found;
}
