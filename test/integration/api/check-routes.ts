import type { ZodType } from 'zod';
import { API_ROUTES } from '../../../src/contract/api.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import { stateSnapshotSchema } from '../../../src/contract/state.ts';
import type { App } from '../../../src/server/app.ts';
import { ask } from '../server/ask.ts';

export interface Checked {
  readonly problems: string[];
  /** What was seen, to prove that the check reached it. */
  readonly seen: Set<string>;
}

/** Asks every read route about everything the state names, and says which answers are not the contract. */
export async function checkRoutes(app: App, checked: Checked): Promise<void> {
  const state = stateSnapshotSchema.safeParse(await get(app, API_ROUTES.state.path));
  if (!state.success) {
    checked.problems.push(`state: ${describe(state.error.issues[0])}`);
    return;
  }
  const { running, blocked, retrying, waiting, ended, operator_terminal_stops: stops } = state.data;
  const lists = { running, blocked, retrying, waiting, ended, stops };
  for (const [name, rows] of Object.entries(lists)) if (rows.length > 0) checked.seen.add(name);
  const issues = new Set(Object.values(lists).flatMap((rows) => rows.map((row) => row.issue_id)));
  for (const issue of issues) {
    const detail = await check(app, `/api/v1/issues/${issue}`, API_ROUTES.issue.result, checked);
    if (detail !== null) checked.seen.add(`issue ${detail.status}`);
  }
  const runs = [...running.slice(0, 2), ...ended.slice(0, 2)].map((row) => row.run_id);
  for (const run of runs) {
    const detail = await check(app, `/api/v1/runs/${run}`, API_ROUTES.run.result, checked);
    if (detail !== null) checked.seen.add(`run ${detail.status}`);
    const page = await check(
      app,
      `/api/v1/runs/${run}/events?limit=50`,
      API_ROUTES.runEvents.result,
      checked,
    );
    for (const { kind } of page?.events ?? []) checked.seen.add(`event ${kind}`);
  }
  await check(app, '/api/v1/runs?limit=10', API_ROUTES.runs.result, checked);
  await check(app, '/api/v1/history?bucket=hour&points=24', API_ROUTES.history.result, checked);
  await check(app, '/api/v1/actions', API_ROUTES.actions.result, checked);
  await check(app, '/api/v1/nobody-knows', errorEnvelopeSchema, checked);
  await check(app, '/api/v1/runs/nobody-knows', errorEnvelopeSchema, checked);
}

async function check<T>(app: App, path: string, schema: ZodType<T>, checked: Checked): Promise<T | null> {
  const parsed = schema.safeParse(await get(app, path));
  if (parsed.success) return parsed.data;
  checked.problems.push(`${path}: ${describe(parsed.error.issues[0])}`);
  return null;
}

async function get(app: App, path: string): Promise<unknown> {
  return (await ask(app, path)).json();
}

function describe(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  return issue === undefined ? 'unreadable' : `${issue.path.join('.')}: ${issue.message}`;
}
