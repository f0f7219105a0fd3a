import type { Environment } from '../../config/read/environment.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { realWorkflowPath } from '../../config/roots/state-folder.ts';
import { AppError } from '../../errors/app-error.ts';
import type { CliIo } from '../io.ts';
import { readApiTokens } from '../record/api-tokens.ts';
import { findRecord, listRecords, type WorkerRecord } from '../record/worker-record.ts';

export interface TargetFlags {
  readonly url?: string;
  readonly workflow?: string;
}

/** Where a worker is, what opens its API, and who has to answer there. */
export interface Target {
  readonly baseUrl: string;
  readonly token: string | null;
  /** Null when only an address was named. */
  readonly expected: { readonly instance: string | null; readonly workflowPath: string } | null;
}

type TargetIo = Pick<CliIo, 'environment' | 'cwd'>;

/**
 * The worker that is meant: at `--url`, else of `--workflow`, else at `AIOPS_DASHBOARD_URL`, else of the workflow this
 * folder or the environment names. Rejects with `worker_unreachable` when none runs there.
 */
export async function findTarget(flags: TargetFlags, io: TargetIo): Promise<Target> {
  const named =
    flags.url ?? (flags.workflow === undefined ? io.environment['AIOPS_DASHBOARD_URL'] : undefined);
  if (named) return targetAt(named, flags.workflow, io);
  const path = await workflowOf(flags.workflow, io);
  const record = await findRecord(path, io.environment);
  if (record === null) throw await notRunning(path, io.environment);
  if (record.url === null) {
    throw new AppError('worker_unreachable', `the worker of ${path} (pid ${record.pid}) listens nowhere`, {
      hint: 'Its page and API are off (server.port -1, --once), or the port could not be had: its log says why.',
    });
  }
  return {
    baseUrl: record.url,
    token: record.token,
    expected: { instance: record.instance, workflowPath: record.workflow_path },
  };
}

async function targetAt(address: string, workflow: string | undefined, io: TargetIo): Promise<Target> {
  const baseUrl = originOf(address);
  const { full, readOnly } = await readApiTokens(io.environment, io.cwd);
  const known = (await listRecords(io.environment)).find(
    ({ url }) => url !== null && originOf(url) === baseUrl,
  );
  const path = workflow === undefined ? null : await chooseWorkflowPath(workflow, io.environment, io.cwd);
  return {
    baseUrl,
    token: full ?? known?.token ?? readOnly,
    expected: path === null ? null : { instance: null, workflowPath: realWorkflowPath(path) },
  };
}

/** Without a workflow there is no telling which worker is meant; those that run are named. */
async function workflowOf(named: string | undefined, io: TargetIo): Promise<string> {
  try {
    return await chooseWorkflowPath(named, io.environment, io.cwd);
  } catch (error) {
    if (!(error instanceof AppError) || named !== undefined) throw error;
    throw new AppError('worker_unreachable', `which worker is meant? ${error.message}`, {
      hint: `Name its workflow with --workflow PATH, or its address with --url.${await othersThan(null, io.environment)}`,
      cause: error,
    });
  }
}

async function notRunning(path: string, environment: Environment): Promise<AppError> {
  return new AppError('worker_unreachable', `no worker runs for ${path}`, {
    hint: `Start it with \`aiops worker --workflow ${path}\`.${await othersThan(path, environment)}`,
  });
}

async function othersThan(path: string | null, environment: Environment): Promise<string> {
  const own = path === null ? null : realWorkflowPath(path);
  const others = (await listRecords(environment)).filter((record) => record.workflow_path !== own);
  return others.length === 0 ? '' : ` Running now: ${others.map(describeRecord).join('; ')}.`;
}

function describeRecord({ workflow_path, pid, url }: WorkerRecord): string {
  return `${workflow_path} (pid ${pid}${url === null ? '' : `, ${url}`})`;
}

function originOf(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address).origin;
  throw new AppError('usage', `${JSON.stringify(text)} is not the address of a worker`, {
    hint: 'Write it like http://127.0.0.1:4000.',
  });
}
