import type { Hono } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import { type Link, type Session, sessionBodySchema } from '../../contract/worker.ts';
import { AppError } from '../../errors/app-error.ts';
import { requireActionHeader, requireOperator, requireSameOrigin } from '../access/access.ts';
import { OneTimeCodes } from '../access/one-time-codes.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import { readBody } from '../read-body.ts';

const MAX_BODY_BYTES = 4 * 1024;

/** How a browser gets the right to act: whoever has it makes a code, and the page exchanges that for the token. */
export function addSessionRoutes(app: Hono<AppEnv>, ownToken: () => string | null, now: () => number): void {
  const codes = new OneTimeCodes(now);

  app.post(API_ROUTES.link.path, (c) => {
    requireSameOrigin(c);
    requireActionHeader(c);
    requireOperator(c);
    const { code, expiresAt } = codes.make();
    const link: Link = { code, expires_at: new Date(expiresAt).toISOString() };
    return json(c, link);
  });
  app.post(API_ROUTES.session.path, async (c) => {
    requireSameOrigin(c);
    requireActionHeader(c);
    const token = ownToken();
    if (token === null || !codes.use(await readCode(c))) {
      throw new AppError('forbidden', 'this link was used already, or is too old', {
        hint: 'Run `aiops open` for a new one.',
      });
    }
    const session: Session = { token };
    return json(c, session);
  });
  for (const { path } of [API_ROUTES.link, API_ROUTES.session])
    app.all(path, (c) => methodNotAllowed(c, 'POST'));
}

async function readCode(c: AppContext): Promise<string> {
  const text = await readBody(c.req.raw, MAX_BODY_BYTES);
  const parsed = sessionBodySchema.safeParse(text === null ? null : parseJson(text));
  if (parsed.success) return parsed.data.code;
  throw new AppError('invalid_action_body', 'the body is not a code', { hint: 'Send {"code": "..."}.' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
