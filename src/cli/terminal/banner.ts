import type { Config } from '../../config/config.ts';
import { fitTo, padTo, plainLine } from './text-width.ts';

export interface BannerFacts {
  readonly version: string;
  readonly config: Config;
  /** Its address, with the right to act where only its user reads it; null when the page and API are off. */
  readonly page: string | null;
  readonly journal: string;
}

const LABEL_COLUMNS = 12;

/** What was started, where to see it and where it keeps things. */
export function formatBanner(
  { version, config, page, journal }: BannerFacts,
  columns: number | null,
): string {
  const { tracker, repo, agent } = config;
  const rows: [string, string][] = [
    ['workflow', config.workflowPath],
    ['tracker', [tracker.kind, tracker.place].filter((text) => text !== null).join(' ')],
    ['repository', repo?.cloneUrl ?? 'none: agents start in an empty folder unless a hook fills it'],
    ['agent', `${agent.kind}, at most ${agent.maxConcurrentAgents} at a time`],
    ['page', page ?? 'off'],
    ['state', journal],
  ];
  const lines = rows.map(([label, value]) => {
    const text = `  ${padTo(label, LABEL_COLUMNS)}${plainLine(value)}`;
    // An address or path that is cut is of no use.
    return label === 'agent' && columns !== null ? fitTo(text, columns) : text;
  });
  return [`aiops ${version} is running; Ctrl-C stops it.`, ...lines, ''].join('\n');
}
