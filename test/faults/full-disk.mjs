// Runs on a small disk of its own (argv[2]), which it fills. Every expectation that fails ends it with a message.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../dist/observability/logger.js';
import { createWorkspaces } from '../../dist/workspaces/create-workspaces.js';
import { createRescues } from '../../dist/workspaces/rescue/manage-rescues.js';

const disk = process.argv[2];
const [root, mirrorRoot, remote, filler] = ['root', 'mirrors', 'remote.git', 'filler'].map((name) =>
  join(disk, name),
);
const environment = { ...process.env, HOME: disk };
const never = new AbortController().signal;
const access = { token: null, tokenVariable: null, credential: null, push: 'agent' };
const repo = { owner: null, name: null, cloneUrl: remote, defaultBranch: 'main', ...access };
const workspaces = createWorkspaces({
  root,
  mirrorRoot,
  scope: { trackerKind: 'fault', trackerScope: 'fault' },
  repo,
  environment,
  logger: silentLogger,
  minFreeBytes: 0,
});
const prepare = (id) => workspaces.prepare({ issue: { id, identifier: id }, repo, onProgress() {} }, never);
const git = (cwd, ...args) => execFileSync('git', args, { cwd, env: environment, encoding: 'utf8' }).trim();

buildRemote();
fillDisk(64);
await assert.rejects(prepare('ENG-1'), { code: 'disk_full' }, 'a clone on a full disk is refused as such');
assert.equal(existsSync(join(root, 'ENG-1')), false, 'no half workspace is left');

rmSync(filler);
const first = await prepare('ENG-1');
await workspaces.confirmCreated(first);
assert.equal(git(first.path, 'fsck'), '', 'after space was freed the workspace is whole');
// Random, so that it does not compress into the space that is left.
const precious = randomBytes(200_000).toString('hex');
writeFileSync(join(first.path, 'precious.txt'), precious);

fillDisk(64);
await assert.rejects(prepare('ENG-2'), { code: 'disk_full' }, 'a checkout on a full disk is refused as such');
await assert.rejects(workspaces.remove('ENG-1', never), 'work that cannot be saved is not removed');
assert.equal(readFileSync(join(first.path, 'precious.txt'), 'utf8'), precious, 'nor changed');

rmSync(filler);
assert.equal((await prepare('ENG-1')).createdNow, false, 'the workspace goes on');
await prepare('ENG-2');
const { rescuedTo } = await workspaces.remove('ENG-1', never);
assert.notEqual(rescuedTo, null, 'with space, the work is saved');
const target = join(disk, 'restored');
await createRescues({ root, environment }).restore('ENG-1', target, never);
assert.equal(readFileSync(join(target, 'precious.txt'), 'utf8'), precious, 'and comes back');
console.log('the full disk lost nothing');

function buildRemote() {
  const author = join(disk, 'author');
  mkdirSync(author);
  git(disk, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(author, 'init', '--quiet', '--initial-branch=main');
  for (let file = 0; file < 300; file += 1)
    writeFileSync(join(author, `f${file}.txt`), `${file}\n`.repeat(300));
  git(author, 'add', '--all');
  git(author, 'commit', '--quiet', '--message', 'Start');
  git(author, 'push', '--quiet', remote, 'main');
  rmSync(author, { recursive: true });
}

/** Leaves `spare` KiB. */
function fillDisk(spare) {
  const handle = openSync(filler, 'w');
  const block = Buffer.alloc(16 * 1024, 1);
  try {
    for (;;) writeSync(handle, block);
  } catch (error) {
    assert.equal(error.code, 'ENOSPC');
  }
  closeSync(handle);
  truncateSync(filler, statSync(filler).size - spare * 1024);
}
