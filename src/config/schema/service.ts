import { nearest } from '../../domain/nearest.ts';
import { quote } from '../read/problem.ts';
import {
  block,
  filledText,
  filledTexts,
  flag,
  notNegative,
  optional,
  type Place,
  positive,
  wholeNumber,
  withDefault,
} from './key.ts';

const DEFAULT_POLL_MS = 30_000;
const MODES = ['draft_pr', 'analysis_only'];

export const pollingBlock = block(
  {
    interval_ms: withDefault(
      wholeNumber,
      DEFAULT_POLL_MS,
      'Time between polls of the tracker. 0 or less means the default.',
      { applies: 'next poll', read: readInterval },
    ),
  },
  'How often the tracker is asked.',
);

function readInterval(written: number, { at, key }: Place): number {
  if (written > 0) return written;
  const message = `${key} is not above 0, so ${DEFAULT_POLL_MS} is used`;
  at.warn(key, message, 'Remove the key or write milliseconds, such as 30000.');
  return DEFAULT_POLL_MS;
}

export const policyBlock = block(
  {
    mode: withDefault(
      filledText,
      'draft_pr',
      'What the agent is asked for: `draft_pr`, or `analysis_only` (a plan in `.aiops/PLAN.md`, no change).',
      { read: readMode },
    ),
  },
  'What the agent is asked to produce.',
);

function readMode(written: string, { at, key }: Place): string {
  const mode = written.trim();
  if (!MODES.includes(mode)) {
    const meant = nearest(mode, MODES);
    const hint = meant === null ? `Known: ${MODES.join(', ')}.` : `Did you mean ${meant}?`;
    at.warn(key, `${key} ${quote(mode)} changes nothing`, hint);
  }
  return mode;
}

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

/** A setting that is accepted and does nothing is a lie: what decides about runs is refused, the rest is told. */
export const workerBlock = block(
  {
    ssh_hosts: withDefault(
      filledTexts,
      [],
      'Hosts that execute runs over ssh. Not built yet: anything but an empty list is an error.',
      { read: refuseHosts },
    ),
    max_concurrent_agents_per_host: optional(
      positive,
      'Most runs at the same time on one ssh host. Not built yet: an error.',
      { applies: 'next poll', defaultText: 'only the global limit', read: refuseHostLimit },
    ),
  },
  'Runs on other machines.',
);

function refuseHosts(written: readonly string[], { at, key }: Place): readonly string[] {
  if (written.length > 0)
    at.problem(
      key,
      `${key} does nothing yet: every run executes on this machine`,
      'Remove the key. Runs on other machines are not built yet.',
    );
  return written;
}

function refuseHostLimit(written: number | undefined, { at, key }: Place): number | null {
  if (at.has(key))
    at.problem(
      key,
      `${key} limits nothing yet: there is only this machine`,
      'Remove the key; agent.max_concurrent_agents limits the runs here.',
    );
  return written ?? null;
}

export const observabilityBlock = block(
  {
    dashboard_enabled: optional(
      flag,
      'Whether the worker shows the terminal dashboard when it runs on a terminal: `true` is like `--tui`, `false` like leaving that out. `--tui` and `--no-tui` say otherwise for one start.',
      { applies: 'next start', defaultText: 'only with `--tui`' },
    ),
    refresh_ms: withDefault(
      positive,
      1000,
      'Time between refreshes of the terminal dashboard: of the times it shows, and of everything while there is no live stream.',
      { applies: 'next start' },
    ),
    render_interval_ms: withDefault(
      positive,
      16,
      'Shortest time between two frames of the terminal dashboard.',
      {
        applies: 'next start',
      },
    ),
  },
  'The terminal dashboard: of `aiops worker --tui`, and of `aiops tui` for this workflow.',
);

export const rescueBlock = block(
  {
    keep_days: withDefault(
      notNegative,
      30,
      'Days saved work is kept, the last copy of a commit longer; 0 means for ever.',
      { applies: 'next poll' },
    ),
    max_mb: withDefault(
      notNegative,
      2048,
      'Most space saved work may take, oldest removed first, the last copy of a commit never; 0 means no limit.',
      { applies: 'next poll' },
    ),
  },
  'Unpushed work saved before a workspace is removed.',
);

export const journalBlock = block(
  {
    keep_days: withDefault(notNegative, 90, 'Days runs and their timelines are kept; 0 means for ever.', {
      applies: 'next poll',
    }),
  },
  'The record of runs. Budgets and decisions about open issues are kept whatever this says.',
);
