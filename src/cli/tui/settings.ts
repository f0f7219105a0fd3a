import { InvalidArgumentError } from 'commander';
import type { Config } from '../../config/config.ts';
import { parseDuration } from '../../config/read/duration.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import type { CliIo } from '../io.ts';
import type { TargetFlags } from '../remote/find-worker.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 86_400_000;

export type BoardSettings = Pick<Config['observability'], 'refreshMs' | 'renderIntervalMs'>;

export const DEFAULT_SETTINGS: BoardSettings = { refreshMs: 1000, renderIntervalMs: 16 };

/** `5s`, `500ms`, `1m30s`, or seconds; as milliseconds. */
export function parseInterval(text: string): number {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  if (ms === null || ms < SHORTEST_MS || ms > LONGEST_MS)
    throw new InvalidArgumentError('give a time such as 5s, 500ms or 1m, from 100ms to 24h.');
  return ms;
}

/** What the workflow says about the board, where one is meant that can be read; it is no reason to fail. */
export async function readSettings(
  flags: TargetFlags,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<BoardSettings> {
  if (flags.url !== undefined) return DEFAULT_SETTINGS;
  try {
    const { loadWorkflow } = await import('../workflow-file.ts');
    const path = await chooseWorkflowPath(flags.workflow, io.environment, io.cwd);
    const loaded = await loadWorkflow({ path, environment: io.environment });
    return loaded.ok ? loaded.config.observability : DEFAULT_SETTINGS;
  } catch {
    return DEFAULT_SETTINGS;
  }
}
