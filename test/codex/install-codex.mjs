import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '0.166.0';

/** The native program inside an installation; null when it is not there. */
export function findBinary(folder) {
  const packages = join(folder, 'node_modules', '@openai');
  if (!existsSync(packages)) return null;
  for (const name of readdirSync(packages).filter((candidate) => candidate.startsWith('codex-'))) {
    const vendor = join(packages, name, 'vendor');
    for (const target of existsSync(vendor) ? readdirSync(vendor) : []) {
      const binary = join(vendor, target, 'bin', 'codex');
      if (existsSync(binary)) return binary;
    }
  }
  return null;
}

/**
 * The pinned Codex, installed once into a folder beside the repository's own packages: it is 400 MB, and nobody who only
 * uses or changes this worker needs it. `AIOPS_TEST_CODEX` names another program. Null when it cannot be installed.
 */
async function provideBinary() {
  const given = process.env.AIOPS_TEST_CODEX;
  if (given !== undefined) return given;
  const folder = join(tmpdir(), `aiops-codex-${VERSION}`);
  const present = findBinary(folder);
  if (present !== null) return present;
  const fresh = mkdtempSync(join(tmpdir(), 'aiops-codex-install-'));
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}');
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `@openai/codex@${VERSION}`];
    await promisify(execFile)('npm', args, { cwd: fresh, timeout: 300_000 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    process.stderr.write(`Codex ${VERSION} cannot be installed, its tests are skipped: ${error.message}\n`);
    rmSync(fresh, { recursive: true, force: true });
  }
  return findBinary(folder);
}

/** Vitest's set-up of the suite: tests ask for the program with `inject('codexBinary')`. */
export default async function setup(project) {
  project.provide('codexBinary', await provideBinary());
}
