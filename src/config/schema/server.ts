import { z } from 'zod';
import { quote } from '../read/problem.ts';
import { variableName } from '../resolve/context.ts';
import { Secret } from '../resolve/secret.ts';
import {
  block,
  filledText,
  filledTexts,
  optional,
  type Place,
  text,
  wholeNumber,
  withDefault,
} from './key.ts';

const LOOPBACK = '127.0.0.1';
const HOST_VARIABLE = 'AIOPS_SERVER_HOST';
const MIN_SECRET_LENGTH = 16;
const MAX_PORT = 65_535;

const webhooksBlock = block(
  {
    secret: optional(
      filledText,
      'Shared secret the tracker signs its webhooks with; a valid one makes the worker poll soon. Without it the route does not exist.',
      { applies: 'at once', secret: true, defaultText: 'no webhooks', read: readSecret },
    ),
  },
  'Wake-up calls of the tracker, see docs/webhooks.md.',
);

function readSecret(written: string | undefined, { at, key }: Place): Secret | null {
  const secret = written === undefined ? null : (at.expand(key, written)?.trim() ?? null);
  if (written === undefined || secret === null) return null;
  at.hidden.add(secret);
  if (secret.length < MIN_SECRET_LENGTH) {
    const message = `${key} is shorter than ${MIN_SECRET_LENGTH} characters, so it can be guessed`;
    at.problem(key, message, 'Make one with `openssl rand -hex 32` and give the tracker the same.');
    return null;
  }
  if (variableName(written) === null)
    at.warn(key, `${key} holds the secret itself`, `Put it into a variable and write ${key}: $NAME.`);
  const { kind = '', scope } = at.trackerKind ?? {};
  if (scope?.isFolder === true)
    at.warn(key, `${key} has no effect for tracker.kind ${kind}`, `Remove it: ${kind} issues are watched.`);
  const port = at.overrides.port ?? at.written.server.port;
  if (port === -1) at.warn(key, `${key} has no effect while server.port is -1`, 'Give the listener a port.');
  return new Secret(secret);
}

export const serverBlock = block(
  {
    host: withDefault(text, LOOPBACK, 'Address the HTTP listener binds; empty means loopback.', {
      applies: 'at once',
      environment: `\`${HOST_VARIABLE}\`: wins over the file; set but empty means loopback`,
      read: readHost,
    }),
    port: withDefault(
      wholeNumber,
      4000,
      'Port of the HTTP listener; -1 turns it off. Unless written, a free one is taken when it is in use. 0, any free port, is accepted in the Symphony dialect and by `--port`.',
      { applies: 'at once', environment: 'none; `--port` wins over the file', read: readPort },
    ),
    require_token: withDefault(
      z.enum(['actions', 'all']),
      'actions',
      'What needs the token of the worker on this machine: `actions` (reading and asking for a poll are open), or `all`.',
      { applies: 'at once' },
    ),
    allowed_origins: withDefault(
      filledTexts,
      [],
      "Other workers whose counts this worker's page shows, and whose pages may read the state of this one, such as `http://127.0.0.1:4001`. They may read only, and only what needs no token.",
      { applies: 'at once', read: readOrigins },
    ),
    webhooks: webhooksBlock,
  },
  'The HTTP listener: JSON API, event stream and dashboard.',
);

function readHost(written: string, { at, key }: Place): string {
  const variable = at.environment[HOST_VARIABLE];
  if (variable !== undefined) at.from(key, 'env', HOST_VARIABLE);
  const host = (variable ?? written).trim();
  if (/[\s/]/.test(host))
    at.problem(key, `${key} ${quote(host)} is not a host name or address`, 'Write it like 127.0.0.1.');
  return host === '' ? LOOPBACK : host;
}

/** Scheme, host and port; they go into a header of the page as they are. */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.-]+(?::\d+)?$|^https?:\/\/\[[0-9a-f:.]+\](?::\d+)?$/;

/** An entry that is refused is not shown: it may hold a password. */
function readOrigins(written: readonly string[], { at, key }: Place): readonly string[] {
  return written.flatMap((text, index) => {
    const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
    if (url !== null && ORIGIN.test(url.origin) && `${url.origin}/` === url.href) return [url.origin];
    const hint = 'Write scheme, host and port and nothing else, like http://127.0.0.1:4001.';
    at.problem(key, `entry ${index + 1} of ${key} is not the address of a worker`, hint);
    return [];
  });
}

function readPort(port: number, { at, key }: Place): number {
  const lowest = at.dialect === 'symphony' ? 0 : 1;
  if (port !== -1 && (port < lowest || port > MAX_PORT)) {
    const hint =
      port === 0 ? 'For any free port start the worker with --port 0.' : 'Use -1 to turn the listener off.';
    at.problem(key, `${key} must be -1 or ${lowest} to ${MAX_PORT}, not ${port}`, hint);
  }
  if (at.overrides.port === undefined) return port;
  at.from(key, 'cli');
  return at.overrides.port;
}
