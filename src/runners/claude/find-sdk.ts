import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageFile } from '../../process/package-file.ts';

/** Optional and never shipped with this package: its licence does not allow it. */
const AGENT_SDK = '@anthropic-ai/claude-agent-sdk';
export const INSTALL_AGENT_SDK = `npm install ${AGENT_SDK}`;

/**
 * The entry file of the Claude Agent SDK: the one next to this package, else the first that can be resolved from one of the
 * folders. Null when it is nowhere. Nothing is loaded, and nothing is remembered: a package that is installed later is found
 * by the next call.
 */
export function findAgentSdk(folders: readonly string[]): string | null {
  const places = [packageFile('package.json'), ...folders.map((folder) => join(folder, 'package.json'))];
  return places.map((place) => resolveFrom(place, AGENT_SDK)).find((found) => found !== null) ?? null;
}

/** The Claude that the SDK brings with it for this machine; null when there is none. */
export function findBundledClaude(folders: readonly string[]): string | null {
  const sdk = findAgentSdk(folders);
  if (sdk === null) return null;
  const machine = `${process.platform}-${process.arch}`;
  for (const name of [machine, `${machine}-musl`]) {
    const manifest = resolveFrom(sdk, `${AGENT_SDK}-${name}/package.json`);
    const program = manifest === null ? null : join(dirname(manifest), 'claude');
    if (program !== null && existsSync(program)) return program;
  }
  return null;
}

function resolveFrom(place: string, name: string): string | null {
  try {
    return createRequire(place).resolve(name);
  } catch {
    // Not there, half removed, or not a place a package can be resolved from.
    return null;
  }
}
