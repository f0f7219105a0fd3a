import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Brings Claude Code 2.1.325 with it, as a native program and without install scripts. */
const VERSION = '0.3.325';

/** The native program inside an installation; null when it is not there. */
function findBinary(folder) {
  const packages = join(folder, 'node_modules', '@anthropic-ai');
  if (!existsSync(packages)) return null;
  const found = readdirSync(packages)
    .filter((name) => name.startsWith('claude-agent-sdk-'))
    .map((name) => join(packages, name, 'claude'));
  return found.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs the pinned Agent SDK with its program once into a folder outside of the repository: it is 400 MB, and its
 * licence does not let it be shipped. `AIOPS_TEST_CLAUDE_FOLDER` is where that folder is made instead of the temporary
 * one. Null when it cannot be installed.
 */
async function provideInstallation() {
  const parent = process.env.AIOPS_TEST_CLAUDE_FOLDER ?? tmpdir();
  const folder = join(parent, `aiops-claude-${VERSION}`);
  if (findBinary(folder) !== null) return folder;
  mkdirSync(parent, { recursive: true });
  const fresh = mkdtempSync(join(parent, 'aiops-claude-install-'));
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}');
    const wanted = `@anthropic-ai/claude-agent-sdk@${VERSION}`;
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', wanted];
    await promisify(execFile)('npm', args, { cwd: fresh, timeout: 300_000 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } catch (error) {
    process.stderr.write(`Claude cannot be installed, its tests are skipped: ${error.message}\n`);
    rmSync(fresh, { recursive: true, force: true });
  }
  return findBinary(folder) === null ? null : folder;
}

/** Vitest's set-up of the suite: tests ask for these with `inject`. `AIOPS_TEST_CLAUDE` names another program. */
export default async function setup(project) {
  const folder = await provideInstallation();
  project.provide('claudeSdkFolder', folder);
  project.provide(
    'claudeBinary',
    process.env.AIOPS_TEST_CLAUDE ?? (folder === null ? null : findBinary(folder)),
  );
}
