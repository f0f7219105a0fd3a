import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { provideFromPackages } from '../../fakes/install-packages.mjs';

/** The version of Gemini CLI: of the published agents it is plain JavaScript and needs only the address of a model. */
const GEMINI = '0.61.0';
/** The version of the official client, to hold our own MCP server to. */
const MCP_CLIENT = '2.4.0';

function findPrograms(folder) {
  const packages = join(folder, 'node_modules');
  const gemini = join(packages, '.bin', 'gemini');
  const mcpClient = join(packages, '@modelcontextprotocol', 'client');
  return existsSync(gemini) && existsSync(mcpClient) ? { gemini, mcpClient } : null;
}

/** Vitest's set-up of the suite: tests ask for the programs with `inject('geminiProgram')` and `inject('mcpClient')`. */
export default async function setup(project) {
  const found = await provideFromPackages({
    name: 'acp',
    version: `${GEMINI}-${MCP_CLIENT}`,
    packages: [`@google/gemini-cli@${GEMINI}`, `@modelcontextprotocol/client@${MCP_CLIENT}`],
    find: findPrograms,
  });
  project.provide('geminiProgram', found?.gemini ?? null);
  project.provide('mcpClient', found?.mcpClient ?? null);
}
