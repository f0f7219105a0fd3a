import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Optional and never shipped with this package: its licence does not allow it. */
export const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';
export const INSTALL_AGENT_SDK = `npm install ${AGENT_SDK}`;

/**
 * The file to import of the Claude Agent SDK: the one next to this package, else the first that can be resolved from one
 * of the folders. Null when it is nowhere. Nothing is loaded, and nothing is remembered: a package that is installed
 * later is found by the next call.
 */
export function findAgentSdk(folders: readonly string[]): string | null {
  for (const place of [import.meta.url, ...folders.map((folder) => join(folder, 'package.json'))]) {
    const found = resolveFrom(place);
    if (found !== null) return found;
  }
  return null;
}

function resolveFrom(place: string): string | null {
  try {
    return createRequire(place).resolve(AGENT_SDK);
  } catch {
    // Not there, half removed, or not a place a package can be resolved from.
    return null;
  }
}
