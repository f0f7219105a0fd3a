import { ApiError, createClient } from '../../contract/client.ts';
import type { WorkerIdentity } from '../../contract/worker.ts';
import type { Place } from '../../tui/data/place.ts';
import type { CliIo } from '../io.ts';
import { explain, requireExpected } from '../remote/connect.ts';
import { findTarget, type Target, type TargetFlags } from '../remote/find-worker.ts';

const PATIENCE_MS = 5_000;
const NO_TOKEN =
  'its token is not known here: run this as the user who runs the worker, or set AIOPS_STATE_API_TOKEN';

/** The worker that is meant, as it can be reached now. Rejects with an error for people while none runs. */
export async function locateWorker(
  flags: TargetFlags,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<Place> {
  const target = await findTarget(flags, io);
  const { baseUrl, token } = target;
  const identity = await identify(target).catch((error: unknown) => {
    throw error instanceof ApiError ? explain(error, baseUrl) : error;
  });
  if (identity !== null) requireExpected(identity, target);
  return {
    baseUrl,
    ...(token === null ? {} : { token }),
    fetch,
    pageUrl: `${baseUrl}/`,
    refusal: identity === null || identity.may_act ? null : NO_TOKEN,
  };
}

/** Null for a worker that cannot say who it is: a Go worker, or an older one. */
async function identify({ baseUrl, token }: Target): Promise<WorkerIdentity | null> {
  const client = createClient({ baseUrl, fetch, ...(token === null ? {} : { token }) });
  try {
    return await client.worker(AbortSignal.timeout(PATIENCE_MS));
  } catch (error) {
    if (error instanceof ApiError && error.status !== null && [200, 404, 405].includes(error.status))
      return null;
    throw error;
  }
}
