import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIMIT_MS = 60_000;

/**
 * Lets a worker start and end once, in a folder of its own and with nothing to do, and keep what V8 has compiled for that: later
 * starts with the same Node are quicker. Nothing depends on it.
 */
export function compileAhead(program) {
  const folder = mkdtempSync(join(tmpdir(), 'aiops-compile-'));
  try {
    mkdirSync(join(folder, 'issues'));
    const repository = join(folder, 'repository');
    const workflow = {
      tracker: { kind: 'local', path: 'issues' },
      repo: { clone_url: repository },
      workspace: { root: 'workspaces', mirror_root: 'mirrors' },
      agent: { default: 'mock' },
    };
    // JSON is YAML, too.
    writeFileSync(join(folder, 'WORKFLOW.md'), `---\n${JSON.stringify(workflow)}\n---\nDo it.\n`);
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, TMPDIR: folder, AIOPS_COMPILE_CACHE: 'write' };
    const options = { cwd: folder, env, stdio: 'pipe', timeout: LIMIT_MS };
    const identity = ['-c', 'user.name=Build', '-c', 'user.email=build@localhost'];
    const git = (...args) => execFileSync('git', args, options);
    git('init', '--quiet', '--initial-branch=main', repository);
    git('-C', repository, ...identity, 'commit', '--quiet', '--allow-empty', '--message=Begin');
    execFileSync(process.execPath, [program, 'worker', '--once', '--port', '0'], options);
  } catch (error) {
    console.error(`The program starts a little slower than it could: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
