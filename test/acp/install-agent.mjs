import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A published agent that is plain JavaScript, runs as any user and needs nothing but the address of a model. */
const GEMINI = '0.61.0';
/** The official client, to hold our own MCP server to. */
const MCP_CLIENT = '2.4.0';

/**
 * Installs what the suite needs once into a folder beside the repository's own packages: it is 100 MB, and nobody who only uses
 * or changes this worker needs it. Null when it cannot be installed.
 */
async function provideFolder() {
  const folder = join(tmpdir(), `aiops-acp-${GEMINI}-${MCP_CLIENT}`);
  if (existsSync(folder)) return folder;
  const fresh = mkdtempSync(join(tmpdir(), 'aiops-acp-install-'));
  try {
    writeFileSync(join(fresh, 'package.json'), '{"private":true}');
    const packages = [`@google/gemini-cli@${GEMINI}`, `@modelcontextprotocol/client@${MCP_CLIENT}`];
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
    await promisify(execFile)('npm', args, { cwd: fresh, timeout: 300_000 });
    renameSync(fresh, folder);
    return folder;
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another run was faster.
    if (existsSync(folder)) return folder;
    process.stderr.write(`Gemini ${GEMINI} cannot be installed, its tests are skipped: ${error.message}\n`);
    return null;
  }
}

/** Vitest's set-up of the suite: tests ask for the programs with `inject('geminiProgram')` and `inject('mcpClient')`. */
export default async function setup(project) {
  const folder = await provideFolder();
  const inside = (...path) => (folder === null ? null : join(folder, 'node_modules', ...path));
  project.provide('geminiProgram', inside('.bin', 'gemini'));
  project.provide('mcpClient', inside('@modelcontextprotocol', 'client'));
}
