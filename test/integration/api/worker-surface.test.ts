import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readApiTokens } from '../../../src/cli/record/api-tokens.ts';
import { HttpSurface } from '../../../src/cli/worker/http/http-surface.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { scriptedSource } from '../server/state-fixture.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'aiops-tokens-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('readApiTokens', () => {
  it('takes tokens from variables and files', async () => {
    await writeFile(join(root, 'token'), 'dummy-from-file\n');
    const environment = { AIOPS_STATE_API_TOKEN_FILE: 'token', AIOPS_STATE_API_READ_TOKEN: ' dummy-read ' };
    expect(await readApiTokens(environment, root)).toEqual({
      full: 'dummy-from-file',
      readOnly: 'dummy-read',
    });
    expect(await readApiTokens({ AIOPS_STATE_API_TOKEN: '  ' }, root)).toEqual({
      full: null,
      readOnly: null,
    });
  });

  it.each([
    ['missing', { AIOPS_STATE_API_TOKEN_FILE: 'missing' }],
    ['both', { AIOPS_STATE_API_TOKEN_FILE: 'token', AIOPS_STATE_API_TOKEN: 'dummy' }],
    ['empty', { AIOPS_STATE_API_TOKEN_FILE: 'empty' }],
    ['two lines', { AIOPS_STATE_API_READ_TOKEN_FILE: 'long' }],
  ])('never opens the surface when a file was meant to protect it: %s', async (_what, environment) => {
    await writeFile(join(root, 'token'), 'dummy');
    await writeFile(join(root, 'empty'), ' \n');
    await writeFile(join(root, 'long'), 'one\ntwo\n');
    const failure = await readApiTokens(environment, root).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'usage', hint: expect.any(String) });
    expect(JSON.stringify(failure)).not.toContain('dummy');
  });
});

describe('HttpSurface', () => {
  it('does without a port that is taken, says so once, and takes it when it is free', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const errors: string[] = [];
    const logger = {
      ...silentLogger,
      error: (_text: string, fields?: object) => errors.push(JSON.stringify(fields)),
    };
    const surface = new HttpSurface(createApp(scriptedSource()), logger, { host: '127.0.0.1', port });
    try {
      await surface.open();
      expect(surface.url).toBeNull();
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain('--port');
      await new Promise((resolve) => other.close(resolve));
      await expect.poll(() => surface.url).toBe(`http://127.0.0.1:${port}`);
      expect(errors).toHaveLength(1);
    } finally {
      await surface.close();
    }
  });
});
