import type { Hono } from 'hono';
import {
  ACTION_BODIES,
  ACTION_NAMES,
  type ActionName,
  type ActionResult,
  type OperatorAction,
} from '../../contract/actions.ts';
import { API_ROUTES } from '../../contract/api.ts';
import { IDEMPOTENCY_HEADER } from '../../contract/refresh.ts';
import { parseForeignJson } from '../../domain/nesting.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { requireActionHeader, requireOperator, requireSameOrigin } from '../access/access.ts';
import { type AppContext, type AppEnv, peerAddress } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import { numberFrom, segmentsBelow } from '../query.ts';
import { readBody } from '../read-body.ts';
import type { WorkerPort } from '../worker-port.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_REMEMBERED_KEYS = 1_000;
const PREFIX = API_ROUTES.act.path.replace('{action}', '');

export function addActionRoutes(app: Hono<AppEnv>, worker: WorkerPort, logger: Logger): void {
  const answers = new Map<string, ActionResult>();

  app.get(API_ROUTES.actions.path, (c) =>
    json(c, worker.actions(numberFrom(c, 'limit', { least: 1, most: 1_000, fallback: 100 }))),
  );
  app.all(API_ROUTES.actions.path, (c) => methodNotAllowed(c, 'GET, HEAD'));

  app.post(`${PREFIX}*`, async (c) => {
    requireSameOrigin(c);
    const action = actionOf(c);
    requireActionHeader(c);
    requireOperator(c);
    const request = await readRequest(c, action);
    const key = keyOf(c, request);
    const earlier = key === null ? undefined : answers.get(key);
    if (earlier !== undefined) return json(c, { ...earlier, changed: false });
    const result = await worker.act(request, peerAddress(c));
    const { changed, issue_id: issue } = result;
    logger.info('operator action', {
      action,
      by: request.by,
      changed,
      ...(issue !== null && { issue_id: issue }),
    });
    if (key !== null) remember(answers, key, result);
    return json(c, result);
  });
  app.all(`${PREFIX}*`, (c) => methodNotAllowed(c, 'POST'));
}

function actionOf(c: AppContext): ActionName {
  const [name, ...more] = segmentsBelow(c, PREFIX);
  const action = ACTION_NAMES.find((candidate) => candidate === name);
  if (action !== undefined && more.length === 0) return action;
  throw new AppError('not_found', 'there is no such action', {
    hint: `There are: ${ACTION_NAMES.join(', ')}.`,
  });
}

async function readRequest(c: AppContext, action: ActionName): Promise<OperatorAction> {
  const text = await readBody(c.req.raw, MAX_BODY_BYTES);
  if (text === null) {
    throw new AppError('request_too_large', 'the body of an action is larger than 256 KiB', {
      hint: 'Send a shorter text.',
    });
  }
  const parsed = ACTION_BODIES[action].safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') || 'the body';
    throw new AppError('invalid_action_body', `${where}: ${issue?.message ?? 'is not what it should be'}`, {
      hint: 'Send a JSON object with the fields this action takes, see docs/http-api.md.',
    });
  }
  return { ...parsed.data, kind: action, by: plain(parsed.data.by ?? 'api') } as OperatorAction;
}

/** An empty body is an empty object. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

/** A name that cannot steer a terminal it is printed on. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

/** The same key with another body is a different request. */
function keyOf(c: AppContext, request: OperatorAction): string | null {
  const key = c.req.header(IDEMPOTENCY_HEADER)?.slice(0, 200);
  return key === undefined || key === '' ? null : JSON.stringify([key, request]);
}

function remember(answers: Map<string, ActionResult>, key: string, result: ActionResult): void {
  answers.set(key, result);
  const [oldest] = answers.keys();
  if (answers.size > MAX_REMEMBERED_KEYS && oldest !== undefined) answers.delete(oldest);
}
