import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { runProgram, SetupError, say } from './lib/program.mjs';
import { runCommand } from './lib/run-command.mjs';

/** Runs `npm run demo` as a stranger would, and compares its summary with what git says about the remote. */
await runProgram(async () => {
  const { code, output } = await runCommand('npm', ['run', 'demo'], { stdout: process.stdout });
  if (code !== 0) throw new SetupError(`npm run demo ended with exit code ${code}`);
  const summary = readSummary(output);
  const scratch = dirname(summary.remote);
  try {
    compare('rows marked ok', summary.rowsOk, summary.rows);
    compare('branches in the remote', countBranches(summary.remote), summary.branches);
    compare('commits in the remote', countCommits(summary.remote), summary.commits);
    compare('processes left behind', countProcesses(scratch), 0);
  } finally {
    if (basename(scratch).startsWith('aiops-demo-')) rmSync(scratch, { recursive: true, force: true });
  }
  say('The summary is true and nothing was left running.');
  return 0;
});

function readSummary(output) {
  const totals = /^(\d+) branches and (\d+) commits are in the remote/m.exec(output);
  const remote = /^ {2}git -C (.+?) log /m.exec(output)?.[1];
  const rows = output.match(/^(?:ok|!!) +DEMO-\d+ /gm) ?? [];
  if (totals === null || remote === undefined || rows.length === 0) {
    throw new SetupError('the demo printed no summary');
  }
  return {
    remote,
    branches: Number(totals[1]),
    commits: Number(totals[2]),
    rows: rows.length,
    rowsOk: rows.filter((row) => row.startsWith('ok')).length,
  };
}

function compare(what, actual, claimed) {
  say(`${what}: ${actual}, claimed: ${claimed}`);
  if (actual !== claimed) throw new SetupError(`${what}: ${actual}, but the demo claimed ${claimed}`);
}

function countBranches(remote) {
  return lines(remote, ['for-each-ref', '--format=%(refname:short)', 'refs/heads/ai']).length;
}

function countCommits(remote) {
  return lines(remote, ['log', '--all', '--no-merges', '--format=%s']).filter((line) =>
    /^DEMO-\d+:/.test(line),
  ).length;
}

function lines(remote, args) {
  const text = execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

/** Live processes that were started for this scratch directory; 0 where there is no /proc to look at. */
function countProcesses(scratch) {
  if (process.platform !== 'linux') return 0;
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ids.filter((id) => readQuietly(`/proc/${id}/cmdline`).includes(scratch)).length;
}

function readQuietly(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
