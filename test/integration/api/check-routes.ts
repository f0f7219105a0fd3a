import type { ZodType } from 'zod';
import { API_ROUTES, type ApiRouteName, OPENAPI_PATH } from '../../../src/contract/api.ts';
import { errorEnvelopeSchema } from '../../../src/contract/error.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import type { App } from '../../../src/server/app.ts';
import { type AskOptions, ask } from '../server/ask.ts';

export interface Checked {
  readonly problems: string[];
  /** Which routes answered, and what their rows said, to prove that the check reached it. */
  readonly seen: Set<string>;
  /** When given, issues and runs like one that was asked about before are not asked about again. */
  readonly known?: Set<string>;
}

function isNew({ known }: Checked, kind: string): boolean {
  if (known?.has(kind) === true) return false;
  known?.add(kind);
  return true;
}

/** Rows of one kind have the same fields filled in and the same words in those that have few. */
function kindOf(name: string, row: object): string {
  const words = ['phase', 'method', 'kind', 'outcome', 'retry_kind', 'agent_kind'];
  const fields = Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => (words.includes(key) ? `${key}=${String(value)}` : key));
  return `${name}: ${fields.sort().join(' ')}`;
}

/** Asks every read route about everything the state names, and says which answers are not the contract. */
export async function checkRoutes(app: App, checked: Checked): Promise<void> {
  const state = await checkRoute(app, checked, 'state');
  if (state === null) return;
  await checkIssues(app, checked, state);
  await checkRuns(app, checked, state);
  const outcomes = [...new Set(state.ended.map((row) => row.outcome))].sort().join(' ');
  if (!isNew(checked, `lists: ${outcomes}`)) return;
  await checkRoute(app, checked, 'runs', {}, '?limit=10');
  await checkRoute(app, checked, 'history', {}, '?bucket=hour&points=24');
  await checkRoute(app, checked, 'actions');
  await checkRoute(app, checked, 'issue', { issue: 'nobody-knows' });
  await checkRoute(app, checked, 'run', { run: 'nobody-knows' });
}

/** The routes whose answers are not JSON of the contract, or the same in every state. */
export async function checkOtherRoutes(app: App, checked: Checked): Promise<void> {
  for (const path of ['/livez', '/readyz', '/metrics', OPENAPI_PATH, '/']) {
    const response = await ask(app, path);
    const text = await response.text();
    if ((response.status === 200 || (path === '/readyz' && response.status === 503)) && text !== '')
      checked.seen.add(path);
    else checked.problems.push(`${path}: ${response.status}`);
  }
}

async function checkIssues(app: App, checked: Checked, state: StateSnapshot): Promise<void> {
  const { running, blocked, retrying, waiting, ended, operator_terminal_stops: stops } = state;
  const lists = { running, blocked, retrying, waiting, ended, stops };
  const issues = new Map<string, string>();
  for (const [name, rows] of Object.entries(lists)) {
    if (rows.length > 0) checked.seen.add(name);
    for (const row of rows)
      if (isNew(checked, kindOf(name, row))) issues.set(row.issue_id, row.issue_identifier);
  }
  for (const [id, identifier] of issues) {
    const detail = await checkRoute(app, checked, 'issue', { issue: id });
    if (detail !== null) checked.seen.add(`issue ${detail.status}`);
    const short = await checkRoute(app, checked, 'issueShort', { issue: identifier });
    if (detail === null || short?.issue_id !== id) checked.problems.push(`${identifier} is not ${id}`);
  }
}

/** Every live run, and the newest of each outcome. */
async function checkRuns(app: App, checked: Checked, { running, ended }: StateSnapshot): Promise<void> {
  const outcomes = new Map(ended.toReversed().map((row) => [row.outcome, row.run_id]));
  const runs = [
    ...running.map((row) => ({ run: row.run_id, kind: kindOf('live', row) })),
    ...[...outcomes].map(([outcome, run]) => ({ run, kind: `ended ${outcome}` })),
  ].filter(({ kind }) => isNew(checked, kind));
  for (const { run } of runs) {
    const detail = await checkRoute(app, checked, 'run', { run });
    if (detail !== null) checked.seen.add(`run ${detail.status}`);
    const page = await checkRoute(app, checked, 'runEvents', { run }, '?limit=50');
    for (const { kind } of page?.events ?? []) checked.seen.add(`event ${kind}`);
    await checkRoute(app, checked, 'runDiff', { run });
  }
}

type Result<Name extends ApiRouteName> =
  (typeof API_ROUTES)[Name]['result'] extends ZodType<infer T> ? T : never;

/** The answer as its schema reads it; null for an error, which must be the contract's, too. */
export async function checkRoute<Name extends ApiRouteName>(
  app: App,
  checked: Checked,
  name: Name,
  names: Readonly<Record<string, string>> = {},
  query = '',
  options: AskOptions = {},
): Promise<Result<Name> | null> {
  const { method, path, status, result } = API_ROUTES[name];
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(names[key] ?? ''));
  const response = await ask(app, `${filled}${query}`, { ...options, method });
  const body: unknown = await response.json();
  const good = response.status === status;
  const schema: ZodType = good ? result : errorEnvelopeSchema;
  const parsed = schema.safeParse(body);
  if (!parsed.success || (!good && (response.status < 400 || response.status >= 500))) {
    const [issue] = parsed.error?.issues ?? [];
    checked.problems.push(
      `${method} ${filled}: ${response.status} ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected'}`,
    );
    return null;
  }
  checked.seen.add(good ? `route ${name}` : `error of ${name}`);
  return good ? (parsed.data as Result<Name>) : null;
}
