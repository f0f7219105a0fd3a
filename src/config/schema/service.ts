import { z } from 'zod';
import {
  block,
  filledText,
  filledTexts,
  flag,
  notNegative,
  optional,
  positive,
  text,
  wholeNumber,
  withDefault,
} from './key.ts';

export const pollingBlock = block(
  {
    interval_ms: withDefault(
      wholeNumber,
      30_000,
      'Time between polls of the tracker. 0 or less means the default.',
      { applies: 'next poll' },
    ),
  },
  'How often the tracker is asked.',
);

export const policyBlock = block(
  {
    mode: withDefault(
      filledText,
      'draft_pr',
      'What the agent is asked for: `draft_pr`, or `analysis_only` (a plan in `.aiops/PLAN.md`, no change).',
    ),
  },
  'What the agent is asked to produce.',
);

export const verifyBlock = block(
  {
    commands: withDefault(
      filledTexts,
      [],
      'Commands the prompt asks the agent to run before handing over. The worker runs none of them.',
    ),
  },
  'How the agent checks its own work.',
);

const webhooksBlock = block(
  {
    secret: optional(
      filledText,
      'Shared secret the tracker signs its webhooks with; a valid one makes the worker poll soon. Without it the route does not exist.',
      { applies: 'at once', secret: true, defaultText: 'no webhooks' },
    ),
  },
  'Wake-up calls of the tracker, see docs/webhooks.md.',
);

export const serverBlock = block(
  {
    host: withDefault(text, '127.0.0.1', 'Address the HTTP listener binds; empty means loopback.', {
      applies: 'at once',
      environment: '`AIOPS_SERVER_HOST`: wins over the file; set but empty means loopback',
    }),
    port: withDefault(
      wholeNumber,
      4000,
      'Port of the HTTP listener; -1 turns it off. Unless written, a free one is taken when it is in use. 0, any free port, is accepted in the Symphony dialect and by `--port`.',
      { applies: 'at once', environment: 'none; `--port` wins over the file' },
    ),
    require_token: withDefault(
      z.enum(['actions', 'all']),
      'actions',
      'What needs the token of the worker on this machine: `actions` (reading and asking for a poll are open), or `all`.',
      { applies: 'at once' },
    ),
    webhooks: webhooksBlock,
  },
  'The HTTP listener: JSON API, event stream and dashboard.',
);

export const workerBlock = block(
  {
    ssh_hosts: withDefault(
      filledTexts,
      [],
      'Hosts that execute runs over ssh. Not built yet: anything but an empty list is an error.',
    ),
    max_concurrent_agents_per_host: optional(
      positive,
      'Most runs at the same time on one ssh host. Not built yet: an error.',
      {
        applies: 'next poll',
        defaultText: 'only the global limit',
      },
    ),
  },
  'Runs on other machines.',
);

export const observabilityBlock = block(
  {
    dashboard_enabled: withDefault(flag, true, 'Show the terminal dashboard where one is asked for.', {
      applies: 'next start',
    }),
    refresh_ms: withDefault(positive, 1000, 'Time between refreshes of the terminal dashboard.', {
      applies: 'next start',
    }),
    render_interval_ms: withDefault(positive, 16, 'Shortest time between two frames.', {
      applies: 'next start',
    }),
  },
  'The terminal dashboard, as Symphony names it. Not built yet: each key is a warning.',
);

export const rescueBlock = block(
  {
    keep_days: withDefault(
      notNegative,
      30,
      'Days saved work is kept, the last copy of a commit longer; 0 means for ever.',
      {
        applies: 'next poll',
      },
    ),
    max_mb: withDefault(
      notNegative,
      2048,
      'Most space saved work may take, oldest removed first, the last copy of a commit never; 0 means no limit.',
      {
        applies: 'next poll',
      },
    ),
  },
  'Unpushed work saved before a workspace is removed.',
);

export const notificationsBlock = block(
  {
    webhook_url: optional(filledText, 'Address that gets each notice as JSON by `POST`.', {
      applies: 'at once',
      secret: true,
      defaultText: 'none',
    }),
    slack_url: optional(filledText, 'Slack-compatible incoming webhook that gets each notice as text.', {
      applies: 'at once',
      secret: true,
      defaultText: 'none',
    }),
    command: optional(
      filledText,
      'Shell command run for each notice: JSON on standard input, `AIOPS_NOTICE_*` in the environment.',
      { applies: 'at once', defaultText: 'none' },
    ),
    on: withDefault(
      z.array(z.enum(['needs_you', 'delivered'])),
      ['needs_you', 'delivered'],
      'What is worth a notice: an issue that waits for a person, an issue that was delivered.',
      { applies: 'at once' },
    ),
  },
  'Telling people outside of the dashboard.',
);

export const journalBlock = block(
  {
    keep_days: withDefault(notNegative, 90, 'Days runs and their timelines are kept; 0 means for ever.', {
      applies: 'next poll',
    }),
  },
  'The record of runs. Budgets and decisions about open issues are kept whatever this says.',
);
