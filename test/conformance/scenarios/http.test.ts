import { afterEach, describe, expect, it } from 'vitest';
import { type Address, HttpSurface } from '../../../src/cli/worker/http/http-surface.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { scriptedSource } from '../../integration/server/state-fixture.ts';
import { configOf } from './workflow.ts';

const surfaces: HttpSurface[] = [];
afterEach(async () => {
  await Promise.all(surfaces.splice(0).map((surface) => surface.close()));
});

async function open(address: Address): Promise<HttpSurface> {
  const surface = new HttpSurface(createApp(scriptedSource()), silentLogger, address);
  surfaces.push(surface);
  await surface.open();
  return surface;
}

describe('the HTTP surface', () => {
  it('listens unless told not to: a workflow without a port gets one, -1 gets none (R-13.7-c, R-13.7-0)', async () => {
    expect(configOf().server).toMatchObject({ host: '127.0.0.1', port: 4000 });
    expect((await open({ host: '127.0.0.1', port: 0 })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await open({ host: '127.0.0.1', port: -1 })).url).toBeNull();
  });

  it('binds exactly the port it is given (R-13.7-d)', async () => {
    const first = await open({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(first.url ?? '').port);
    await first.close();
    expect((await open({ host: '127.0.0.1', port })).url).toBe(`http://127.0.0.1:${port}`);
  });

  it('moves to another address without a restart (R-6.2-f)', async () => {
    const surface = await open({ host: '127.0.0.1', port: 0 });
    await surface.move({ host: '127.0.0.1', port: -1 });
    expect(surface.url).toBeNull();
    await surface.move({ host: 'localhost', port: 0 });
    expect(surface.url).not.toBeNull();
  });
});
