import { systemClock } from '../../../domain/clock.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import { WebhookReceiver, type WebhookSettings } from '../../../server/webhooks/webhook-receiver.ts';

/** Webhooks for the configuration in force, whichever that is when one comes. */
export function createWebhookReceiver(orchestrator: Orchestrator, logger: Logger): WebhookReceiver {
  return new WebhookReceiver({
    clock: systemClock,
    logger,
    settings: () => settingsOf(orchestrator),
    requestPoll: () => void orchestrator.requestPoll(),
    notBefore: () => orchestrator.workflow.tracker?.budget?.read().slowedUntil ?? null,
  });
}

function settingsOf({ workflow: { config } }: Orchestrator): WebhookSettings | null {
  const { secret } = config.server.webhooks;
  const { kind, provider } = config.tracker;
  const repository = provider['repo'];
  if (secret === null) return null;
  return { kind, secret: secret.reveal(), repository: typeof repository === 'string' ? repository : null };
}
