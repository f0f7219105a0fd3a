import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { WORKFLOW_FORMAT } from '../../../test/fakes/workflow-file.ts';
import { leafKeys } from './shape.ts';

/** What is accepted and does nothing is refused, or told, whenever it is written: `idle-keys.test.ts` has each. */
const TOLD: readonly string[] = ['worker.ssh_hosts', 'worker.max_concurrent_agents_per_host'];

/** Keys that are other names: what they say is read under this one. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'tracker.provider.api_url': 'endpoint' };

const source = fileURLToPath(new URL('../..', import.meta.url));

/** The words of each module that acts, tests and the reading of settings apart. */
function wordsOfModules(): readonly ReadonlySet<string>[] {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('config'))
    .map((name) => new Set(readFileSync(join(source, name), 'utf8').match(/[A-Za-z_]\w*/g)));
}

const inCode = (name: string): readonly string[] => [
  name,
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
];

it('every key of a workflow is read by something that acts, or is told to do nothing', () => {
  const modules = wordsOfModules();
  const has = (words: ReadonlySet<string>, name: string): boolean =>
    inCode(name).some((word) => words.has(word));
  const idle = leafKeys(WORKFLOW_FORMAT.schema).filter((key) => {
    const parts = key.split('.');
    const last = OTHER_NAMES[key] ?? parts.at(-1) ?? '';
    // A word such as `mode` says little by itself: its module speaks of the block too.
    const block = parts.at(-2) ?? '';
    const blocks = block === 'provider' ? ['provider', 'config'] : [block];
    return !modules.some((words) => has(words, last) && blocks.some((name) => has(words, name)));
  });
  expect(idle.filter((key) => !TOLD.includes(key))).toEqual([]);
  // A key that does something by now is no longer told that it does nothing.
  expect(TOLD.filter((key) => key !== 'worker.ssh_hosts' && !idle.includes(key))).toEqual([]);
});
