import type { LogFields, Logger } from '../../../src/observability/logger.ts';

export interface RecordedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines. */
export function recordLines(): { readonly logger: Logger; readonly lines: readonly RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const loggerWith = (bound: LogFields): Logger => {
    const at =
      (level: string) =>
      (message: string, fields: LogFields = {}): void =>
        void lines.push({ level, message, fields: { ...bound, ...fields } });
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      with: (fields) => loggerWith({ ...bound, ...fields }),
    };
  };
  return { logger: loggerWith({}), lines };
}
