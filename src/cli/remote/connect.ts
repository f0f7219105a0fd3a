import type { Command } from 'commander';
import { type ApiClient, ApiError, createClient } from '../../contract/client.ts';
import type { WorkerIdentity } from '../../contract/worker.ts';
import { AppError } from '../../errors/app-error.ts';
import { ERROR_CODES, type ErrorCode } from '../../errors/codes.ts';
import { oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import { askOverHttp } from './ask-over-http.ts';
import { findTarget, type Target } from './find-worker.ts';

const PATIENCE_MS = 15_000;

export interface RemoteFlags {
  readonly url?: string;
  readonly workflow?: string;
  readonly json: boolean;
}

export type RemoteIo = Partial<Pick<CliIo, 'interactive'>> &
  Pick<CliIo, 'stdout' | 'stderr' | 'stdin' | 'environment' | 'cwd' | 'outputColumns' | 'outputRows'>;

const REMOTE_HELP = `
The worker is the one that runs for --workflow, $AIOPS_WORKFLOW_PATH or ./WORKFLOW.md; it leaves its address and token
where only its user can read them. --url or $AIOPS_DASHBOARD_URL name another, whose token is read from
$AIOPS_STATE_API_TOKEN or from the file $AIOPS_STATE_API_TOKEN_FILE names.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no worker answers, 4 the token is missing or refused, 5 the action does
not apply to the issue as it is now.`;

/** Where the worker is, and what opens its API. */
export interface Connection {
  readonly baseUrl: string;
  readonly token?: string;
}

/** The flags and the help that every command has that talks to a worker; `note` is what its help says before that. */
export function withRemote(command: Command, note = ''): Command {
  return command
    .option('--url <address>', 'where the worker listens')
    .option('--json', 'print JSON')
    .addHelpText('after', `${note}${REMOTE_HELP}`);
}

/** The flags of such a command, `--workflow` included. */
export function remoteFlags<Flags extends RemoteFlags>(command: Command): Flags {
  return { ...command.optsWithGlobals<Flags>(), json: command.opts<{ json?: boolean }>().json === true };
}

/**
 * Runs `work` with a client of the worker that is meant, after making sure that this one answers, and tells on standard
 * error which it is; failures come out as errors that teach.
 */
export async function withWorker<T>(
  flags: RemoteFlags,
  io: RemoteIo,
  work: (client: ApiClient, signal: () => AbortSignal, connection: Connection) => Promise<T>,
): Promise<T> {
  const target = await findTarget(flags, io);
  const { baseUrl, token } = target;
  const connection: Connection = { baseUrl, ...(token === null ? {} : { token }) };
  const client = createClient({ ...connection, fetch: askOverHttp });
  const signal = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
  try {
    const identity = await client.worker(signal());
    requireExpected(identity, target);
    if (!flags.json) io.stderr(describeWorker(identity, baseUrl));
    return await work(client, signal, connection);
  } catch (error) {
    throw error instanceof ApiError ? explain(error, baseUrl) : error;
  }
}

function describeWorker({ workflow_path, pid }: WorkerIdentity, baseUrl: string): string {
  return `aiops: worker of ${oneLine(workflow_path, 300)} at ${baseUrl} (pid ${pid})\n`;
}

/** Acts on nobody but the worker that was meant: an address may have got another owner. */
export function requireExpected(identity: WorkerIdentity, { expected, baseUrl }: Target): void {
  if (expected === null) return;
  const { instance, workflowPath } = expected;
  const same = instance === null ? identity.workflow_path === workflowPath : identity.instance === instance;
  if (same) return;
  throw new AppError(
    'wrong_worker',
    `another worker answers at ${baseUrl}: it runs ${oneLine(identity.workflow_path, 300)}, not ${workflowPath}`,
    { hint: 'Nothing was done. Name the workflow you mean with --workflow, or only its address with --url.' },
  );
}

/** What a failed call means to a person at the command line. */
export function explain(error: ApiError, baseUrl: string): AppError {
  if (error.code === 'unexpected_answer' || error.code === 'not_found' || isOlderWorker(error)) {
    return new AppError('worker_unreachable', `what answers at ${baseUrl} is not this worker's API`, {
      hint: 'Check the address, and that this command and the worker are of the same version.',
      cause: error,
    });
  }
  if (isErrorCode(error.code))
    return new AppError(error.code, error.message, { cause: error, ...(error.hint && { hint: error.hint }) });
  return new AppError('worker_unreachable', `no worker answers at ${baseUrl}`, {
    hint: 'Start one with `aiops worker`, or name another with --workflow or --url.',
    cause: error,
  });
}

/** A version without the route takes its last word for the name of an issue. */
function isOlderWorker({ code, message }: ApiError): boolean {
  return code === 'issue_not_found' && message.includes('"worker"');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
