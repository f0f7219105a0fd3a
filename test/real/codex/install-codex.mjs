import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideFromPackages } from '../../fakes/install-packages.mjs';

const schema = new URL('../../../schema/codex/protocol.json', import.meta.url);
const VERSION = JSON.parse(readFileSync(schema, 'utf8')).version;

/** The native program inside an installation; null when it is not there. */
function findBinary(folder) {
  const packages = join(folder, 'node_modules', '@openai');
  if (!existsSync(packages)) return null;
  for (const name of readdirSync(packages).filter((candidate) => candidate.startsWith('codex-'))) {
    const vendor = join(packages, name, 'vendor');
    for (const target of existsSync(vendor) ? readdirSync(vendor) : []) {
      const binary = join(vendor, target, 'bin', 'codex');
      if (existsSync(binary)) return binary;
    }
  }
  return null;
}

/** Vitest's set-up of the suite: tests ask for the program with `inject('codexBinary')`. `AIOPS_TEST_CODEX` names another one. */
export default async function setup(project) {
  const codex = { name: 'codex', version: VERSION, packages: [`@openai/codex@${VERSION}`], find: findBinary };
  project.provide('codexBinary', process.env.AIOPS_TEST_CODEX ?? (await provideFromPackages(codex)));
}
