import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/observability/create-logger.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { type App, createApp } from '../../../src/server/app.ts';
import { createLazyApp, type LazyApp } from '../../../src/server/lazy-app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

/** A lazy app and how often it was made; `failures` are thrown first. */
function createCounted(failures: Error[] = [], app?: App, logger = silentLogger) {
  const source = scriptedSource();
  let made = 0;
  const lazy = createLazyApp(source, logger, async () => {
    made += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return app ?? createApp(source);
  });
  return { lazy, source, made: () => made };
}

async function serve(app: LazyApp): Promise<string> {
  const listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
  open.push(listener);
  return listener.url;
}

describe('an app that is made when it is needed', () => {
  it.each(['GET', 'HEAD'])('is not needed for probes, which answer %s as the app does', async (method) => {
    const { lazy, source, made } = createCounted();
    const url = await serve(lazy);
    for (const path of ['/livez', '/readyz']) {
      const answer = await fetch(`${url}${path}`, { method });
      const wanted = await ask(createApp(source), path, { method });
      expect([answer.status, await answer.text()]).toEqual([wanted.status, await wanted.text()]);
      for (const [name, value] of wanted.headers)
        expect([name, answer.headers.get(name)]).toEqual([name, value]);
    }
    expect(made()).toBe(0);
    const refused = await fetch(`${url}/livez`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is made once, for requests that come at the same time, and reads what they sent', async () => {
    const { lazy, source, made } = createCounted();
    const url = await serve(lazy);
    const [state, refresh] = await Promise.all([
      fetch(`${url}/api/v1/state`),
      fetch(`${url}/api/v1/refresh`, { method: 'POST', headers: { 'x-aiops-refresh': 'true' }, body: '{}' }),
    ]);
    expect([state.status, refresh.status, source.refreshes()]).toEqual([200, 202, 1]);
    await lazy.load();
    expect(made()).toBe(1);
  });

  it('is tried again after it could not be made, and the log says why', async () => {
    const lines: string[] = [];
    const logger = createLogger({ stream: { write: (line) => void lines.push(line) } });
    const { lazy } = createCounted([new Error('no such chunk')], undefined, logger);
    const url = await serve(lazy);
    const failed = await fetch(`${url}/api/v1/state`);
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: { code: 'internal_error' } }]);
    expect(failed.headers.get('x-content-type-options')).toBe('nosniff');
    expect(lines.join('')).toContain('no such chunk');
    expect((await fetch(`${url}/api/v1/state`)).status).toBe(200);
  });

  it('ends its streams also when it is made after the end', async () => {
    let ended = 0;
    const endStreams = () => {
      ended += 1;
    };
    const app = { ...createApp(scriptedSource()), endStreams };
    const { lazy } = createCounted([], app);
    lazy.endStreams();
    expect(ended).toBe(0);
    await lazy.load();
    expect(ended).toBe(1);
    lazy.endStreams();
    await expect.poll(() => ended).toBe(2);
  });
});
