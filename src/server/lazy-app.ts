import { AppError, messageOf } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { App, AppOptions } from './app.ts';
import { errorResponse } from './error-response.ts';
import { answerProbe } from './probes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import type { WorkerPort } from './worker-port.ts';

export interface LazyApp extends App {
  /** Loads the app before anybody asks. Never rejects: the log says why it could not, and the next request tries again. */
  load(): Promise<void>;
}

export function createAppWhenNeeded(
  worker: WorkerPort,
  options: AppOptions & { readonly logger: Logger },
): LazyApp {
  return createLazyApp(worker, options.logger, async () => {
    const [{ createApp }] = await Promise.all([import('./app.ts'), import('./listen/request-listener.ts')]);
    return createApp(worker, options);
  });
}

/**
 * An app that is made when it is first asked, or told to load: what it is built on takes longer to load than the rest of a
 * worker's start. Probes are answered without it.
 */
export function createLazyApp(worker: WorkerPort, logger: Logger, create: () => Promise<App>): LazyApp {
  let made: Promise<App | null> | null = null;
  let ended = false;

  async function make(): Promise<App> {
    const app = await create();
    if (ended) app.endStreams();
    return app;
  }

  function get(): Promise<App | null> {
    made ??= make().catch((error: unknown) => {
      logger.error('the page and API cannot be loaded', { error: messageOf(error) });
      made = null;
      return null;
    });
    return made;
  }

  return {
    probe: (path) => answerProbe(path, worker),
    fetch: async (request, connection) => (await get())?.fetch(request, connection) ?? notLoaded(request),
    endStreams() {
      ended = true;
      void made?.then((app) => app?.endStreams());
    },
    load: async () => void (await get()),
  };
}

function notLoaded(request: Request): Response {
  const error = new AppError('internal_error', 'the worker could not answer this request', {
    hint: 'The worker log says why. After an update of the installation the worker must be started anew.',
  });
  return errorResponse(error, new URL(request.url).pathname, SECURITY_HEADERS);
}
