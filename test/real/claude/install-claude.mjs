import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { provideFromPackages } from '../../fakes/install-packages.mjs';

/** Brings Claude Code 2.1.325 with it, as a native program and without install scripts. */
const VERSION = '0.3.325';

/** An installation with its native program; null when that is not there. */
function findInstallation(folder) {
  const packages = join(folder, 'node_modules', '@anthropic-ai');
  if (!existsSync(packages)) return null;
  const binary = readdirSync(packages)
    .filter((name) => name.startsWith('claude-agent-sdk-'))
    .map((name) => join(packages, name, 'claude'))
    .find((path) => existsSync(path));
  return binary === undefined ? null : { folder, binary };
}

/**
 * Vitest's set-up of the suite: tests ask for these with `inject`. The licence of the Agent SDK does not let it be shipped, so
 * it is installed: `AIOPS_TEST_CLAUDE_FOLDER` is where instead of the temporary folder, `AIOPS_TEST_CLAUDE` is another program.
 */
export default async function setup(project) {
  const found = await provideFromPackages({
    name: 'claude',
    version: VERSION,
    packages: [`@anthropic-ai/claude-agent-sdk@${VERSION}`],
    find: findInstallation,
    parent: process.env.AIOPS_TEST_CLAUDE_FOLDER,
  });
  project.provide('claudeSdkFolder', found?.folder ?? null);
  project.provide('claudeBinary', process.env.AIOPS_TEST_CLAUDE ?? found?.binary ?? null);
}
