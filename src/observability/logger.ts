/** Structured facts on a log line. `issue_id`, `issue_identifier` and `session_id` go by these names everywhere. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The log port. Messages are constant texts; data goes into fields.
 * error = the worker is wrong or cannot go on; warn = an operator should look; info = what happened; debug = how.
 * A logger never throws.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
}

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLogger,
};
