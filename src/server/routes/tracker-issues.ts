import type { Hono } from 'hono';
import type * as z from 'zod';
import { API_ROUTES } from '../../contract/api.ts';
import {
  issueChangeBodySchema,
  issueMoveBodySchema,
  newIssueBodySchema,
  type TrackerIssue,
} from '../../contract/tracker-issues.ts';
import { parseForeignJson } from '../../domain/nesting.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { IssueEditor } from '../../trackers/issue-editor.ts';
import { requireActionHeader, requireOperator, requireSameOrigin } from '../access/access.ts';
import { type AppContext, type AppEnv, rawPath } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import { segmentsBelow } from '../query.ts';
import { readBody } from '../read-body.ts';
import type { WorkerPort } from '../worker-port.ts';

/** As much as the largest description takes in JSON. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const LIST = API_ROUTES.trackerBoard.path;
const PREFIX = `${LIST}/`;

/** Issues that people write through the worker. Whoever may look may read them, and whoever may act may write. */
export function addTrackerIssueRoutes(app: Hono<AppEnv>, worker: WorkerPort, logger: Logger): void {
  const written = (what: string, { identifier }: TrackerIssue): void =>
    logger.info('issue written through the page or API', { what, issue_identifier: identifier });

  app.get(LIST, async (c) => json(c, await editorOf(worker).board(c.req.raw.signal)));
  app.post(LIST, async (c) => {
    requireWriter(c);
    const issue = await editorOf(worker).create(await readAs(c, newIssueBodySchema));
    written('created', issue);
    return json(c, issue, API_ROUTES.createIssue.status);
  });
  app.all(LIST, (c) => methodNotAllowed(c, 'GET, HEAD, POST'));

  app.get(`${PREFIX}*`, async (c) => {
    const { issue, part } = placeOf(c);
    if (part === 'move') return methodNotAllowed(c, 'POST');
    return json(c, await editorOf(worker).read(issue));
  });
  app.post(`${PREFIX}*`, async (c) => {
    requireWriter(c);
    const { issue, part } = placeOf(c);
    const editor = editorOf(worker);
    const changed =
      part === 'move'
        ? await editor.move(issue, await readAs(c, issueMoveBodySchema))
        : await editor.change(issue, await readAs(c, issueChangeBodySchema));
    written(part === 'move' ? 'moved' : 'changed', changed);
    return json(c, changed);
  });
  app.all(`${PREFIX}*`, (c) => methodNotAllowed(c, 'GET, HEAD, POST'));
}

function requireWriter(c: AppContext): void {
  requireSameOrigin(c);
  requireActionHeader(c);
  requireOperator(c);
}

function editorOf(worker: WorkerPort): IssueEditor {
  const editor = worker.issueEditor();
  if (editor !== null) return editor;
  throw new AppError('not_found', 'the issues of this worker are not written here', {
    hint: 'Write them in the tracker itself.',
  });
}

function placeOf(c: AppContext): { readonly issue: string; readonly part: 'move' | null } {
  const [issue = '', part, ...more] = segmentsBelow(c, PREFIX);
  if (issue !== '' && more.length === 0 && (part === undefined || part === 'move'))
    return { issue, part: part ?? null };
  throw new AppError('not_found', `there is nothing at ${rawPath(c).slice(0, 120)}`, {
    hint: 'An issue has /move.',
  });
}

async function readAs<Body>(c: AppContext, schema: z.ZodType<Body>): Promise<Body> {
  const text = await readBody(c.req.raw, MAX_BODY_BYTES);
  if (text === null) {
    throw new AppError('request_too_large', 'the body of an issue is larger than 2 MiB', {
      hint: 'Send a shorter text.',
    });
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the body';
  throw new AppError('invalid_request', `${where}: ${issue?.message ?? 'is not what it should be'}`, {
    hint: 'Send a JSON object with the fields that the documentation of the API names.',
  });
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}
