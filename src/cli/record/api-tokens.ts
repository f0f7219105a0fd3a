import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Environment } from '../../config/read/environment.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { UserTokens } from '../../server/access/access.ts';

/** A token file holds one line; anything longer is some other file. */
const MAX_TOKEN_LENGTH = 4096;

/**
 * The tokens of the HTTP surface: `AIOPS_STATE_API_TOKEN`, `AIOPS_STATE_API_READ_TOKEN`, or the same names with `_FILE`
 * for a file that holds the token. A file that was asked for and cannot be used is an error: the surface must not open
 * without the protection somebody meant it to have.
 */
export async function readApiTokens(environment: Environment, cwd: string): Promise<UserTokens> {
  return {
    full: await readToken('AIOPS_STATE_API_TOKEN', environment, cwd),
    readOnly: await readToken('AIOPS_STATE_API_READ_TOKEN', environment, cwd),
  };
}

async function readToken(name: string, environment: Environment, cwd: string): Promise<string | null> {
  const value = environment[name]?.trim() || null;
  const file = environment[`${name}_FILE`]?.trim() || null;
  if (file === null) return value;
  if (value !== null) {
    throw new AppError('usage', `${name} and ${name}_FILE are both set`, {
      hint: 'Set only one of them.',
    });
  }
  const token = await readTokenFile(`${name}_FILE`, resolve(cwd, file));
  if (token !== '' && !/[\s\p{Cc}]/u.test(token) && token.length <= MAX_TOKEN_LENGTH) return token;
  throw new AppError('usage', `the file ${file} that ${name}_FILE names holds no token`, {
    hint: 'Write the token into it as its only line, without spaces.',
  });
}

async function readTokenFile(name: string, path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new AppError('usage', `the file ${path} that ${name} names cannot be read: ${messageOf(error)}`, {
      hint: `Correct ${name}, or let this user read the file.`,
      cause: error,
    });
  }
}
