import { join } from 'node:path';
import type { Environment } from '../../config/read/environment.ts';
import { createGit } from '../../workspaces/git/git.ts';
import { isPresent } from './files.ts';

/** Whether git itself could answer for an address: by a credential helper, or by a .netrc. */
export async function gitSignsIn(cloneUrl: string, environment: Environment, cwd: string): Promise<boolean> {
  const home = environment['HOME'] ?? '';
  if (home !== '' && (await isPresent(join(home, '.netrc')))) return true;
  const args = ['config', '--get-urlmatch', 'credential.helper', cloneUrl];
  const found = await createGit(environment).attempt(args, { cwd, action: 'reading the settings of git' });
  return found.code === 0 && found.stdout.trim() !== '';
}
