import type { Hono } from 'hono';
import { API_ROUTES } from '../../contract/api.ts';
import type { WebhookAnswer } from '../../contract/webhooks.ts';
import { AppError } from '../../errors/app-error.ts';
import { requireSameOrigin } from '../access/access.ts';
import { type AppContext, type AppEnv, peerAddress, rawPath } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import { json } from '../json.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

const PREFIX = API_ROUTES.webhook.path.replace('{kind}', '');

/**
 * For the tracker, wherever it is: the signature opens them, not a token or a loopback address. Without a secret, and for
 * another kind of tracker, there is nothing here.
 */
export function addWebhookRoutes(app: Hono<AppEnv>, receiver: WebhookReceiver | null): void {
  app.all(`${PREFIX}*`, async (c) => {
    if (receiver === null || !receiver.takes(rawPath(c).slice(PREFIX.length))) throw nothingAt(c);
    if (c.req.method !== 'POST') return methodNotAllowed(c, 'POST');
    requireSameOrigin(c);
    const answer: WebhookAnswer = { result: await receiver.receive(c.req.raw, peerAddress(c)) };
    return json(c, answer, API_ROUTES.webhook.status);
  });
}

function nothingAt(c: AppContext): AppError {
  return new AppError('not_found', `there is nothing at ${rawPath(c)}`, {
    hint: 'Set server.webhooks.secret; the last part of the address is tracker.kind.',
  });
}
