import { createHmac } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, type ListenOptions, listen } from '../../../src/server/listen/listen.ts';
import { WebhookReceiver, type WebhookSettings } from '../../../src/server/webhooks/webhook-receiver.ts';
import { recordingLogger } from '../../fakes/forge/recording-logger.ts';
import { scriptedSource } from './state-fixture.ts';

export const SECRET = 'dummy-webhook-secret';

export interface Fixture {
  readonly listener: Listener;
  readonly receiver: WebhookReceiver;
  polls(): number;
  log(): string;
  post(kind: string, body: string, headers: Record<string, string>): Promise<Response>;
}

export interface FixtureOptions {
  readonly settings?: WebhookSettings | null;
  readonly limits?: ListenOptions['limits'];
  readonly token?: string;
  readonly now?: () => number;
  readonly notBefore?: () => number | null;
}

/** The real app behind a real listener. Polls follow at once; further ones never, unless the test waits an hour. */
export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { settings = settingsFor('github') } = options;
  let polls = 0;
  const { logger, lines } = recordingLogger();
  const receiver = new WebhookReceiver({
    clock: { ...systemClock, now: options.now ?? systemClock.now },
    logger,
    settings: () => settings,
    requestPoll: () => {
      polls += 1;
    },
    notBefore: options.notBefore ?? (() => null),
    times: { settle: 50, gap: 3_600_000 },
  });
  const app = createApp(scriptedSource(), {
    webhooks: receiver,
    logger,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  const { limits } = options;
  const listener = await listen({ app, host: '127.0.0.1', port: 0, logger, ...(limits && { limits }) });
  onTestFinished(async () => {
    receiver.stop();
    await listener.close();
  });
  return {
    listener,
    receiver,
    polls: () => polls,
    log: () => JSON.stringify(lines),
    post: (kind, body, headers) =>
      fetch(`${listener.url}/api/v1/webhooks/${kind}`, { method: 'POST', body, headers }),
  };
}

export function settingsFor(kind: string): WebhookSettings {
  return { kind, secret: SECRET, repository: kind === 'linear' ? null : 'octo/app' };
}

export function sign(body: string, secret = SECRET, algorithm = 'sha256'): string {
  return createHmac(algorithm, secret).update(body).digest('hex');
}

let deliveries = 0;

/** A body as the tracker would send it, different each time, and the headers that go with it. */
export function delivery(kind: string): { body: string; headers: Record<string, string> } {
  deliveries += 1;
  const id = `0000-${deliveries}`;
  const body =
    kind === 'linear'
      ? JSON.stringify({ type: 'Issue', action: 'update', n: deliveries, webhookTimestamp: Date.now() })
      : JSON.stringify({ action: 'labeled', n: deliveries, repository: { full_name: 'Octo/App' } });
  const signature = sign(body);
  const headers: Record<string, Record<string, string>> = {
    github: {
      'x-github-event': 'issues',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    gitea: { 'x-gitea-event': 'issues', 'x-gitea-delivery': id, 'x-gitea-signature': signature },
    linear: { 'linear-event': 'Issue', 'linear-delivery': id, 'linear-signature': signature },
  };
  return { body, headers: { 'content-type': 'application/json', ...headers[kind] } };
}
