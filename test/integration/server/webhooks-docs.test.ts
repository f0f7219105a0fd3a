import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openFixture, SECRET, settingsFor } from './webhook-fixture.ts';

const PAGE = fileURLToPath(new URL('../../../docs/webhooks.md', import.meta.url));
const run = promisify(execFile);
const missing = await run('sh', ['-c', 'command -v curl && command -v openssl && command -v bash']).then(
  () => null,
  () => 'curl, openssl or bash is not installed',
);

/** The lines a reader would paste: those of the block that ends at the address of this kind. */
async function commandsFor(kind: string): Promise<string> {
  const blocks = (await readFile(PAGE, 'utf8')).matchAll(/```console\n([\s\S]*?)```/g);
  const found = [...blocks]
    .map(([, block = '']) => block)
    .find((block) => block.includes(`/webhooks/${kind}`));
  if (found === undefined) throw new Error(`docs/webhooks.md has no commands for ${kind}`);
  return found.replaceAll(/^\$ /gm, '');
}

it.skipIf(missing !== null).each(['github', 'linear'])(
  'the commands of docs/webhooks.md work as they stand, for %s',
  async (kind) => {
    const fixture = await openFixture({ settings: settingsFor(kind) });
    const commands = (await commandsFor(kind)).replaceAll('http://127.0.0.1:4000', fixture.listener.url);
    const env = { PATH: process.env['PATH'] ?? '', AIOPS_WEBHOOK_SECRET: SECRET };
    const { stdout } = await run('bash', ['-c', commands], { env });
    expect(JSON.parse(stdout)).toEqual({ result: 'queued' });
    await expect.poll(fixture.polls).toBe(1);
  },
);
