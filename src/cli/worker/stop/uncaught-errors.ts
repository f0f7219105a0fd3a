import type { Logger } from '../../../observability/logger.ts';

/** As sysexits has it: an internal fault. */
const SOFTWARE_FAULT = 70;

export interface UncaughtErrorOptions {
  /** Ends agents, closes the journal. Bounded by the caller. */
  shutdown(): Promise<void>;
  readonly logger: Logger;
  readonly limitMs: number;
  exit(code: number): void;
}

/**
 * What nothing else caught. A rejected promise that nobody waited for has done its harm already: it is logged and the worker
 * goes on. After an exception the state of whatever was interrupted is unknown: agents are ended, the journal is closed, and
 * the process exits, so that a service manager starts a sound one. The returned function stops listening.
 */
export function handleUncaughtErrors({ shutdown, logger, limitMs, exit }: UncaughtErrorOptions): () => void {
  let ending = false;
  const onRejection = (error: unknown): void => logger.error('a fault was left unhandled', { error });
  const onException = (error: unknown): void => {
    logger.error('a fault stops the worker; what runs is ended and remembered', { error });
    if (ending) {
      exit(SOFTWARE_FAULT);
      return;
    }
    ending = true;
    setTimeout(() => exit(SOFTWARE_FAULT), limitMs).unref();
    shutdown().then(
      () => exit(SOFTWARE_FAULT),
      () => exit(SOFTWARE_FAULT),
    );
  };
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
  };
}
