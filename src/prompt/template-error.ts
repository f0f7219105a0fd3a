import { AppError, messageOf } from '../errors/app-error.ts';

/** A liquidjs error as one of ours, naming the line of the file and the variable or filter. */
export function templateError(error: unknown, firstLine: number): AppError {
  const raw = messageOf(error).replace(/, line:\d+, col:\d+$/, '');
  const line = lineOf(error, firstLine);
  const variable = /^undefined variable: (.+)$/.exec(raw)?.[1] ?? null;
  const filter = /^undefined filter: (.+)$/.exec(raw)?.[1] ?? null;
  const place = line === null ? 'the prompt template' : `the prompt template, line ${line}`;
  const context = { line, variable, filter };
  if (variable !== null) {
    return new AppError('template_render_error', `${place}: there is no variable ${variable}`, {
      hint: 'Use issue.*, task.*, repo.*, attempt or retry_kind; docs/config.md lists them all.',
      context,
      cause: error,
    });
  }
  if (filter !== null) {
    return new AppError('template_render_error', `${place}: there is no filter ${filter}`, {
      hint: 'Use a filter of the Liquid language, such as default, escape or join.',
      context,
      cause: error,
    });
  }
  const parsing = error instanceof Error && /^(ParseError|TokenizationError)$/.test(error.name);
  return new AppError(parsing ? 'template_parse_error' : 'template_render_error', `${place}: ${raw}`, {
    hint: 'Close every {{ … }} and {% … %}, and end every if and for. To print braces use {% raw %}.',
    context,
    cause: error,
  });
}

/** liquidjs keeps the position only in the token it attaches to the error. */
function lineOf(error: unknown, firstLine: number): number | null {
  if (!(error instanceof Error) || !('token' in error)) return null;
  const { token } = error;
  if (typeof token !== 'object' || token === null || !('getPosition' in token)) return null;
  const position: unknown = typeof token.getPosition === 'function' ? token.getPosition() : null;
  const line: unknown = Array.isArray(position) ? position[0] : null;
  return typeof line === 'number' ? firstLine + line - 1 : null;
}
