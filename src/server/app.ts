import { Hono } from 'hono';
import { AppError } from '../errors/app-error.ts';
import { type Logger, silentLogger } from '../observability/logger.ts';
import { packageFile } from '../process/package-file.ts';
import { type AccessTokens, guardAccess } from './access/access.ts';
import { FailureLimit } from './access/failure-limit.ts';
import { letForeignPagesRead } from './access/foreign-pages.ts';
import { type AppEnv, type ConnectionInfo, rawPath } from './app-env.ts';
import { answerError } from './error-response.ts';
import { answerProbe, type ProbeAnswer } from './probes.ts';
import { addApiRoutes } from './routes/api.ts';
import { addPageRoutes } from './routes/pages.ts';
import { addProbeRoutes } from './routes/probes.ts';
import { addSessionRoutes } from './routes/sessions.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { createStaticFiles } from './static-files.ts';
import { EventHub } from './stream/event-hub.ts';
import type { HubLimits } from './stream/following.ts';
import type { WebhookReceiver } from './webhooks/webhook-receiver.ts';
import { addWebhookRoutes } from './webhooks/webhook-routes.ts';
import type { WorkerPort } from './worker-port.ts';

export interface AppOptions {
  /** Null or blank: no token, and only this machine is served. */
  readonly token?: string | null;
  /** A second token, which may look but not act. */
  readonly readOnlyToken?: string | null;
  /** The worker's own token, which may act. Without any token that may act, nobody may. */
  readonly ownToken?: string | null;
  /** What needs a token from this machine when the two above are not set. */
  readonly requireToken?: AccessTokens['required'];
  /** Asked at each request instead of those above: tokens that can change. */
  readonly tokens?: () => AccessTokens;
  /** Other workers, by their origins: the page may ask them, and their pages may read the state. Default none. */
  readonly allowedOrigins?: () => readonly string[];
  readonly logger?: Logger;
  /** Holds the built pages; the package's own when it is absent. */
  readonly dashboardDirectory?: string;
  readonly now?: () => number;
  readonly streamLimits?: Partial<HubLimits>;
  /** Takes webhooks; without it there are none. */
  readonly webhooks?: WebhookReceiver | null;
}

/** The whole HTTP surface as a fetch handler, without a listener. */
export interface App {
  fetch(request: Request, connection?: ConnectionInfo): Response | Promise<Response>;
  /** Ends the streams that clients follow, which would otherwise keep a listener open. */
  endStreams(): void;
  /** The answer to a supervisor's probe; null for any other path. */
  probe(path: string): ProbeAnswer | null;
}

export function createApp(worker: WorkerPort, options: AppOptions = {}): App {
  const logger = options.logger ?? silentLogger;
  const now = options.now ?? Date.now;
  const hub = new EventHub(worker, options.streamLimits);
  const fixed: AccessTokens = {
    full: filled(options.token),
    readOnly: filled(options.readOnlyToken),
    own: filled(options.ownToken),
    required: options.requireToken ?? 'actions',
  };
  const app = new Hono<AppEnv>();
  app.onError((error, c) => answerError(error, c, logger));
  app.notFound((c) => answerError(new AppError('not_found', `there is nothing at ${rawPath(c)}`), c, logger));

  const origins = options.allowedOrigins ?? (() => []);
  app.use(addSecurityHeaders(origins));
  app.use(letForeignPagesRead(origins));
  addProbeRoutes(app, worker);
  addWebhookRoutes(app, options.webhooks ?? null);
  const tokens = options.tokens ?? (() => fixed);
  app.use(guardAccess(tokens, new FailureLimit(now)));
  addSessionRoutes(app, () => tokens().own, now);
  addApiRoutes(app, { worker, hub, logger, now });
  addPageRoutes(app, createStaticFiles(options.dashboardDirectory ?? packageFile('dist/dashboard')));
  return {
    fetch: (request, connection) => app.fetch(request, connection),
    endStreams: () => hub.close(),
    probe: (path) => answerProbe(path, worker),
  };
}

function filled(token: string | null | undefined): string | null {
  return token?.trim() || null;
}
