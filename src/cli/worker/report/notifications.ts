import { dirname } from 'node:path';
import type { Config } from '../../../config/config.ts';
import type { Environment } from '../../../config/read/environment.ts';
import { systemClock } from '../../../domain/clock.ts';
import { createChannels } from '../../../notify/channels.ts';
import { Notifier } from '../../../notify/notifier.ts';
import { watchHistory } from '../../../notify/watch-history.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Orchestrator } from '../../../orchestrator/orchestrator.ts';
import { buildChildEnvironment } from '../../../process/children/environment.ts';

export interface Notifications {
  /** Future notices follow this configuration. */
  use(config: Config): void;
  stop(): Promise<void>;
}

/** Tells people outside what happens, as the configuration wants it. */
export function startNotifications(
  orchestrator: Orchestrator,
  environment: Environment,
  logger: Logger,
): Notifications {
  const notifier = new Notifier({ clock: systemClock, logger });
  const forget = watchHistory(orchestrator, (notice) => notifier.notify(notice));
  return {
    use({ notifications, workflowPath, secrets }) {
      const child = buildChildEnvironment({
        source: environment,
        passthrough: [],
        denyNames: secrets.flatMap(({ variable }) => variable ?? []),
        denyValues: secrets.flatMap(({ value }) => value?.reveal() ?? []),
        extra: {},
      });
      const cwd = dirname(workflowPath);
      notifier.use(createChannels({ config: notifications, environment: child, cwd }), notifications.on);
    },
    async stop() {
      forget();
      await notifier.stop();
    },
  };
}
