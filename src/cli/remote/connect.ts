import type { Command } from 'commander';
import { type ApiClient, ApiError, createClient } from '../../contract/client.ts';
import { AppError } from '../../errors/app-error.ts';
import { ERROR_CODES, type ErrorCode } from '../../errors/codes.ts';
import type { CliIo } from '../io.ts';
import { readApiTokens } from '../worker/api-tokens.ts';

const DEFAULT_URL = 'http://127.0.0.1:4000';
const PATIENCE_MS = 15_000;

export interface RemoteFlags {
  readonly url?: string;
  readonly json: boolean;
}

export type RemoteIo = Pick<CliIo, 'stdout' | 'stderr' | 'stdin' | 'environment' | 'cwd'>;

export const REMOTE_HELP = `
The worker is found at --url, else at $AIOPS_DASHBOARD_URL, else at ${DEFAULT_URL}. Its token, if it has one, is
read from $AIOPS_STATE_API_TOKEN or from the file $AIOPS_STATE_API_TOKEN_FILE names.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no worker answers, 4 the token is missing or refused, 5 the action does
not apply to the issue as it is now.`;

/** Where the worker is, and what opens its API. */
export interface Connection {
  readonly baseUrl: string;
  readonly token?: string;
}

/** The flags every command has that talks to a worker. */
export function withRemote(command: Command): Command {
  return command.option('--url <address>', 'where the worker listens').option('--json', 'print JSON', false);
}

/** Runs `work` with a client of the worker that is meant; failures come out as errors that teach. */
export async function withWorker<T>(
  flags: Pick<RemoteFlags, 'url'>,
  io: RemoteIo,
  work: (client: ApiClient, signal: () => AbortSignal, connection: Connection) => Promise<T>,
): Promise<T> {
  const baseUrl = addressOf(flags.url ?? (io.environment['AIOPS_DASHBOARD_URL'] || DEFAULT_URL));
  const { full, readOnly } = await readApiTokens(io.environment, io.cwd);
  const token = full ?? readOnly;
  const connection: Connection = { baseUrl, ...(token === null ? {} : { token }) };
  const client = createClient({ ...connection, fetch });
  try {
    return await work(client, () => AbortSignal.timeout(PATIENCE_MS), connection);
  } catch (error) {
    throw error instanceof ApiError ? explain(error, baseUrl) : error;
  }
}

function addressOf(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address).origin;
  throw new AppError('usage', `${JSON.stringify(text)} is not the address of a worker`, {
    hint: `Write it like ${DEFAULT_URL}.`,
  });
}

function explain(error: ApiError, baseUrl: string): AppError {
  if (isErrorCode(error.code))
    return new AppError(error.code, error.message, { cause: error, ...(error.hint && { hint: error.hint }) });
  if (error.code === 'unexpected_answer') {
    return new AppError('worker_unreachable', `what answers at ${baseUrl} is not this worker's API`, {
      hint: 'Check the address, and that this command and the worker are of the same version.',
      cause: error,
    });
  }
  return new AppError('worker_unreachable', `no worker answers at ${baseUrl}`, {
    hint: 'Start one with `aiops worker`, or name its address with --url or AIOPS_DASHBOARD_URL.',
    cause: error,
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

export function printJson(io: RemoteIo, value: unknown): void {
  io.stdout(`${JSON.stringify(value, null, 2)}\n`);
}
