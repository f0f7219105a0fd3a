import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../errors/app-error.ts';
import { isRemoteAddress, withoutCredentials } from './address.ts';
import { askProgram, type Place } from './ask-program.ts';
import type { RepositoryFacts } from './facts.ts';

/** The repository that holds the current folder: its remote where it has one, else the repository itself. */
export async function findOwnRepository(place: Place, workflowPath: string): Promise<RepositoryFacts | null> {
  const git = (...args: string[]) => askProgram('git', args, place);
  const root = await git('rev-parse', '--show-toplevel');
  if (root === null || root === '') return null;
  const remote = await chooseRemote(git);
  const hasCommits = (await git('rev-parse', '--verify', '--quiet', 'HEAD')) !== null;
  if (remote === null) {
    const defaultBranch = await git('symbolic-ref', '--short', 'HEAD');
    const cloneUrl = relativePath(workflowPath, root);
    return { cloneUrl, folder: root, hadCredentials: false, defaultBranch, hasCommits };
  }
  const address = isRemoteAddress(remote.url) ? remote.url : pathOf(remote.url, root);
  const head = await git('symbolic-ref', '--short', `refs/remotes/${remote.name}/HEAD`);
  const known = head?.startsWith(`${remote.name}/`) === true ? head.slice(remote.name.length + 1) : null;
  const cloneUrl = withoutCredentials(address);
  return {
    cloneUrl,
    folder: root,
    hadCredentials: cloneUrl !== address,
    // By its name: an address with a password has no place on a command line.
    defaultBranch: known ?? (await askForHead(isRemoteAddress(remote.url) ? remote.name : address, place)),
    hasCommits: null,
  };
}

/** The repository that `--repo` names: an address, or the path of one on this machine. Throws `usage` for a path that is none. */
export async function findNamedRepository(
  given: string,
  place: Place,
  workflowPath: string,
): Promise<RepositoryFacts> {
  if (isRemoteAddress(given) && !/^file:/i.test(given)) {
    const cloneUrl = withoutCredentials(given);
    const defaultBranch = await askForHead(given, place);
    return { cloneUrl, folder: null, hadCredentials: cloneUrl !== given, defaultBranch, hasCommits: null };
  }
  const path = pathOf(given, place.cwd);
  const problem = await whyNoRepository(path, place);
  if (problem !== null) {
    throw new AppError('usage', `--repo ${given}: ${problem}.`, {
      hint: 'Name a git repository: its folder, or an address that `git clone` takes. `git init` makes a new one.',
    });
  }
  const inside = { ...place, cwd: path };
  const isBare = (await askProgram('git', ['rev-parse', '--is-bare-repository'], inside)) === 'true';
  return {
    cloneUrl: isAbsolute(given) || given.startsWith('~') ? given : relativePath(workflowPath, path),
    folder: isBare ? null : path,
    hadCredentials: false,
    defaultBranch: await askProgram('git', ['symbolic-ref', '--short', 'HEAD'], inside),
    hasCommits: (await askProgram('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], inside)) !== null,
  };
}

async function chooseRemote(
  git: (...args: string[]) => Promise<string | null>,
): Promise<{ readonly name: string; readonly url: string } | null> {
  const names = ((await git('remote')) ?? '').split('\n').filter((name) => name !== '');
  const name = names.includes('origin') ? 'origin' : names[0];
  if (name === undefined) return null;
  // As it is written: `remote get-url` would follow `insteadOf` to where this machine alone finds it.
  const url = await git('config', '--get', `remote.${name}.url`);
  return url === null || url === '' ? null : { name, url };
}

/** The branch that a clone would be on; null when the remote does not answer. */
async function askForHead(address: string, place: Place): Promise<string | null> {
  const answer = await askProgram('git', ['ls-remote', '--symref', '--', address, 'HEAD'], place);
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer ?? '')?.[1] ?? null;
}

async function whyNoRepository(path: string, place: Place): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return 'there is nothing at that path';
  if (!found.isDirectory()) return 'that is a file';
  const folder = await askProgram('git', ['rev-parse', '--absolute-git-dir'], { ...place, cwd: path });
  return folder === null ? 'that folder is no git repository' : null;
}

function pathOf(given: string, base: string): string {
  if (/^file:/i.test(given)) return fileURLToPath(given);
  const [first, ...rest] = given.split('/');
  return first === '~' ? join(homedir(), ...rest) : resolve(base, given);
}

/** As the workflow file names it: `.`, `..` or a path that starts with one of them. */
function relativePath(workflowPath: string, target: string): string {
  const way = relative(dirname(workflowPath), target).split(sep).join('/');
  if (way === '') return '.';
  return way.startsWith('..') ? way : `./${way}`;
}
