import type { Hono } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import { outcomeSchema } from '../../contract/wire.ts';
import { AppError } from '../../errors/app-error.ts';
import { type AppContext, type AppEnv, rawPath } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import { numberFrom, segmentsBelow, wordFrom } from '../query.ts';
import type { WorkerPort } from '../worker-port.ts';

/** A diff that takes longer is given up. */
const DIFF_PATIENCE_MS = 20_000;
/** Diffs being read at once: each is a few git processes. */
const MAX_DIFFS = 2;

export function addRunRoutes(app: Hono<AppEnv>, worker: WorkerPort): void {
  const prefix = `${API_ROUTES.runs.path}/`;
  const diffs = { running: 0 };

  app.get(API_ROUTES.runs.path, (c) => json(c, worker.runs(runsQuery(c))));
  app.get(API_ROUTES.history.path, (c) => {
    const bucket = wordFrom(c, 'bucket', ['hour', 'day'], 'day' as const);
    return json(c, worker.history(bucket, numberFrom(c, 'points', { least: 1, most: 750, fallback: 30 })));
  });
  app.get(`${prefix}*`, async (c) => {
    const [run = '', part, ...more] = segmentsBelow(c, prefix);
    if (run === '' || more.length > 0) throw nothingAt(c);
    if (part === undefined) return json(c, worker.run(run));
    if (part === 'events') {
      const after = numberFrom(c, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 });
      const limit = numberFrom(c, 'limit', { least: 1, most: 5_000, fallback: 1_000 });
      return json(c, await worker.runEvents(run, { after, limit }));
    }
    if (part === 'diff') return json(c, await readDiff(c, worker, run, diffs));
    throw nothingAt(c);
  });
  for (const path of [API_ROUTES.runs.path, `${prefix}*`, API_ROUTES.history.path])
    app.all(path, (c) => methodNotAllowed(c, 'GET, HEAD'));
}

function runsQuery(c: AppContext): Parameters<WorkerPort['runs']>[0] {
  return {
    limit: numberFrom(c, 'limit', { least: 1, most: 1_000, fallback: 100 }),
    before: c.req.query('before') || null,
    issue: c.req.query('issue') || null,
    outcome: wordFrom(c, 'outcome', outcomeSchema.options, null),
  };
}

async function readDiff(
  c: AppContext,
  worker: WorkerPort,
  run: string,
  diffs: { running: number },
): Promise<object> {
  if (diffs.running >= MAX_DIFFS) {
    throw new AppError('too_many_streams', 'other diffs are being read right now', {
      hint: 'Ask again in a moment.',
      context: { retryAfterSeconds: 1 },
    });
  }
  diffs.running += 1;
  try {
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(DIFF_PATIENCE_MS)]);
    return await worker.runDiff(run, signal);
  } finally {
    diffs.running -= 1;
  }
}

function nothingAt(c: AppContext): AppError {
  return new AppError('not_found', `there is nothing at ${rawPath(c).slice(0, 120)}`, {
    hint: 'A run has /events and /diff.',
  });
}
