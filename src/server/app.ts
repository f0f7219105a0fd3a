import { Hono } from 'hono';
import { AppError } from '../errors/app-error.ts';
import { type Logger, silentLogger } from '../observability/logger.ts';
import { guardAccess } from './access.ts';
import { addApiRoutes } from './api-routes.ts';
import { type AppEnv, rawPath } from './app-env.ts';
import { answerError } from './error-response.ts';
import { addPageRoutes } from './page-routes.ts';
import { addProbeRoutes } from './probe-routes.ts';
import { addSecurityHeaders } from './security-headers.ts';
import type { StateSource } from './state-source.ts';
import { BUILT_DASHBOARD, createStaticFiles } from './static-files.ts';

export interface AppOptions {
  /** Null or blank: no token, and only this machine is served. */
  readonly token?: string | null;
  readonly logger?: Logger;
  /** Folders that may hold the built pages, the first that does is used. */
  readonly dashboardDirectories?: readonly string[];
  readonly now?: () => number;
}

export type App = Hono<AppEnv>;

/** The whole HTTP surface as a fetch handler, without a listener. */
export function createApp(source: StateSource, options: AppOptions = {}): App {
  const logger = options.logger ?? silentLogger;
  const app: App = new Hono<AppEnv>();
  app.onError((error, c) => answerError(error, c, logger));
  app.notFound((c) => answerError(new AppError('not_found', `there is nothing at ${rawPath(c)}`), c, logger));

  app.use(addSecurityHeaders);
  addProbeRoutes(app, source);
  app.use(guardAccess(options.token?.trim() || null));
  addApiRoutes(app, { source, logger, now: options.now ?? Date.now });
  addPageRoutes(app, createStaticFiles(options.dashboardDirectories ?? BUILT_DASHBOARD));
  return app;
}
