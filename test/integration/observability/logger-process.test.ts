import { type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const moduleUrl = (name: string): string =>
  new URL(`../../../dist/observability/${name}.js`, import.meta.url).href;

/** Starts a program that has the built logger at hand as `createLogger` and `createRedactor`. */
function start(body: string, stderr: 'pipe' | number) {
  const program = `
    import { once } from 'node:events';
    import { createLogger } from ${JSON.stringify(moduleUrl('create-logger'))};
    import { createRedactor } from ${JSON.stringify(moduleUrl('redact'))};
    ${body}
  `;
  const options: SpawnOptions = { stdio: ['pipe', 'pipe', stderr] };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], options);
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, exit };
}

async function outputOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? '' : text(stream);
}

it('survives a reader that closed the pipe', async () => {
  const { child, exit } = start(
    `
      const logger = createLogger();
      logger.info('before');
      await once(process.stdin, 'data');
      for (let count = 0; count < 100; count += 1) {
        logger.error('nobody reads this', { count });
        await new Promise(setImmediate);
      }
      process.stdout.write('still alive');
      process.exit(0);
    `,
    'pipe',
  );
  const output = outputOf(child.stdout);
  child.stderr?.once('data', () => {
    child.stderr?.destroy();
    child.stdin?.write('go on\n');
  });
  expect(await exit).toBe(0);
  expect(await output).toBe('still alive');
});

it.runIf(existsSync('/dev/full'))('survives a full disk (R-13.2-c, R-14.2-e, R-17.6-c)', async () => {
  const full = openSync('/dev/full', 'w');
  const { child, exit } = start(
    `
      const logger = createLogger();
      for (let count = 0; count < 100; count += 1) {
        logger.info('does not fit', { count });
        await new Promise(setImmediate);
      }
      process.stdout.write('still alive');
    `,
    full,
  );
  closeSync(full);
  const output = outputOf(child.stdout);
  expect(await exit).toBe(0);
  expect(await output).toBe('still alive');
});

it('says on stderr when another stream fails (R-13.2-c)', async () => {
  const { child, exit } = start(
    `
      import { createWriteStream } from 'node:fs';
      const stream = createWriteStream('/nonexistent-folder/worker.log');
      const logger = createLogger({ stream });
      logger.info('a');
      await new Promise((resolve) => stream.on('close', resolve));
      logger.info('b');
      logger.info('c');
    `,
    'pipe',
  );
  const errors = outputOf(child.stderr);
  expect(await exit).toBe(0);
  expect(await errors).toMatch(/^log lines are being lost: ENOENT[^\n]*\n$/);
});

it('lets no secret into what is really written (R-15.3-b)', async () => {
  const token = `ghp_${'d'.repeat(36)}`;
  const { child, exit } = start(
    `
      const secret = await new Promise((resolve) => process.stdin.once('data', (data) => resolve(String(data).trim())));
      const redactor = createRedactor();
      for (const pretty of [false, true]) {
        const logger = createLogger({ redactor, pretty });
        redactor.register(secret);
        const error = new Error('push to https://x:' + secret + '@example.com failed', { cause: { secret } });
        logger.with({ token: secret }).error('failed with ' + secret, {
          error,
          environment: { LINEAR_API_KEY: secret },
          header: 'Basic ' + Buffer.from('aiops:' + secret).toString('base64'),
          list: [[['${token}']]],
        });
      }
    `,
    'pipe',
  );
  const written = outputOf(child.stderr);
  const secret = 'dummy-secret-from-the-operator';
  child.stdin?.write(`${secret}\n`);
  child.stdin?.end();
  expect(await exit).toBe(0);
  expect(await written).toContain('<redacted>');
  expect(await written).toContain('"level":"error"');
  for (const leaked of [secret, token, Buffer.from(secret).toString('base64'), 'operator']) {
    expect(await written).not.toContain(leaked);
  }
});
