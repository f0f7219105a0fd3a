import { nearest } from '../../domain/nearest.ts';
import type { Config } from '../config.ts';
import { quote } from '../read/problem.ts';
import { type Resolution, variableName } from './context.ts';
import { Secret } from './secret.ts';

const DEFAULT_POLL_MS = 30_000;
const LOOPBACK = '127.0.0.1';
const SHORTEST_WEBHOOK_SECRET = 16;
const MODES = ['draft_pr', 'analysis_only'];

export function resolvePolling(at: Resolution): Config['polling'] {
  const intervalMs = at.written.polling.interval_ms;
  if (intervalMs > 0) return { intervalMs };
  const message = `polling.interval_ms is not above 0, so ${DEFAULT_POLL_MS} is used`;
  at.warn('polling.interval_ms', message, 'Remove the key or write milliseconds, such as 30000.');
  return { intervalMs: DEFAULT_POLL_MS };
}

export function resolvePolicy(at: Resolution): Config['policy'] {
  const mode = at.written.policy.mode.trim();
  if (!MODES.includes(mode)) {
    const meant = nearest(mode, MODES);
    const hint = meant === null ? `Known: ${MODES.join(', ')}.` : `Did you mean ${meant}?`;
    at.warn('policy.mode', `policy.mode ${quote(mode)} changes nothing`, hint);
  }
  return { mode };
}

/** Host: variable, file, default. Port: command line, file, default. */
export function resolveServer(at: Resolution): Config['server'] {
  const { server } = at.written;
  const variable = at.environment['AIOPS_SERVER_HOST'];
  if (variable !== undefined) at.from('server.host', 'env', 'AIOPS_SERVER_HOST');
  const host = (variable ?? server.host).trim();
  if (/[\s/]/.test(host)) {
    at.problem(
      'server.host',
      `server.host ${quote(host)} is not a host name or address`,
      'Write it like 127.0.0.1.',
    );
  }
  const port = resolvePort(at);
  return {
    host: host === '' ? LOOPBACK : host,
    port,
    portWritten: at.has('server.port') || at.overrides.port !== undefined,
    requireToken: server.require_token,
    webhooks: { secret: resolveWebhookSecret(at, port) },
  };
}

function resolveWebhookSecret(at: Resolution, port: number): Secret | null {
  const key = 'server.webhooks.secret';
  const written = at.written.server.webhooks.secret;
  if (written === undefined) return null;
  const secret = at.expand(key, written)?.trim() ?? null;
  if (secret === null) return null;
  at.hidden.add(secret);
  if (secret.length < SHORTEST_WEBHOOK_SECRET) {
    const message = `${key} is shorter than ${SHORTEST_WEBHOOK_SECRET} characters, so it can be guessed`;
    at.problem(key, message, 'Make one with `openssl rand -hex 32` and give the tracker the same.');
    return null;
  }
  if (variableName(written) === null)
    at.warn(key, `${key} holds the secret itself`, `Put it into a variable and write ${key}: $NAME.`);
  if (at.written.tracker.kind === 'local')
    at.warn(key, `${key} has no effect for tracker.kind local`, 'Remove it: local issues are watched.');
  if (port === -1) at.warn(key, `${key} has no effect while server.port is -1`, 'Give the listener a port.');
  return new Secret(secret);
}

function resolvePort(at: Resolution): number {
  const { port } = at.written.server;
  const lowest = at.dialect === 'symphony' ? 0 : 1;
  if (port !== -1 && (port < lowest || port > 65_535)) {
    const hint =
      port === 0 ? 'For any free port start the worker with --port 0.' : 'Use -1 to turn the listener off.';
    at.problem('server.port', `server.port must be -1 or ${lowest} to 65535, not ${port}`, hint);
  }
  if (at.overrides.port === undefined) return port;
  at.from('server.port', 'cli');
  return at.overrides.port;
}

function resolveNotifications(at: Resolution): Config['notifications'] {
  const { notifications: written } = at.written;
  return {
    webhookUrl: resolveAddress(at, 'webhook_url'),
    slackUrl: resolveAddress(at, 'slack_url'),
    command: written.command ?? null,
    on: written.on,
  };
}

/** An http address, given as it is or as `$VAR`. No message shows it. */
function resolveAddress(at: Resolution, name: 'webhook_url' | 'slack_url'): Secret | null {
  const written = at.written.notifications[name];
  if (written === undefined) return null;
  const key = `notifications.${name}`;
  const address = at.expand(key, written)?.trim() ?? null;
  if (address === null) return null;
  at.hidden.add(address);
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new Secret(address);
  at.problem(key, `${key} is not an http or https address`, 'Write it like https://hooks.example/path.');
  return null;
}

/** A setting that is accepted and does nothing is a lie: what decides about runs is refused, the rest is told. */
function reportIdleKeys(at: Resolution): void {
  if (at.written.worker.ssh_hosts.length > 0) {
    at.problem(
      'worker.ssh_hosts',
      'worker.ssh_hosts does nothing yet: every run executes on this machine',
      'Remove the key. Runs on other machines are not built yet.',
    );
  }
  if (at.has('worker.max_concurrent_agents_per_host')) {
    at.problem(
      'worker.max_concurrent_agents_per_host',
      'worker.max_concurrent_agents_per_host limits nothing yet: there is only this machine',
      'Remove the key; agent.max_concurrent_agents limits the runs here.',
    );
  }
  for (const name of ['dashboard_enabled', 'refresh_ms', 'render_interval_ms']) {
    const key = `observability.${name}`;
    if (at.has(key))
      at.warn(
        key,
        `${key} does nothing: there is no terminal dashboard yet`,
        'Use the page or `aiops status`.',
      );
  }
}

export function resolveRest(
  at: Resolution,
): Pick<Config, 'verify' | 'worker' | 'observability' | 'rescue' | 'journal' | 'notifications'> {
  const { verify, worker, observability, rescue, journal } = at.written;
  reportIdleKeys(at);
  return {
    verify: { commands: verify.commands },
    worker: {
      sshHosts: worker.ssh_hosts,
      maxConcurrentAgentsPerHost: worker.max_concurrent_agents_per_host ?? null,
    },
    observability: {
      dashboardEnabled: observability.dashboard_enabled,
      refreshMs: observability.refresh_ms,
      renderIntervalMs: observability.render_interval_ms,
    },
    rescue: { keepDays: rescue.keep_days, maxMb: rescue.max_mb },
    journal: { keepDays: journal.keep_days },
    notifications: resolveNotifications(at),
  };
}
