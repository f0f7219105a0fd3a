import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { type BufferingProxy, startBufferingProxy } from '../../fakes/buffering-proxy.ts';
import { emptyState, richState, scriptedSource } from '../../integration/server/state-fixture.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

describe.skipIf(CHROMIUM === undefined)(
  `the dashboard behind a proxy, in ${CHROMIUM ?? 'Chromium, which is not installed'}`,
  () => {
    let browser: Browser;
    let listener: Listener;
    let state: (now: number) => StateSnapshot = emptyState;

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
      const app = createApp(scriptedSource({ snapshot: () => state(Date.now()) }));
      listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
    });
    afterAll(async () => {
      await browser?.close();
      await listener?.close();
    });

    async function visit(streams: BufferingProxy['streams']): Promise<{ page: Page; proxy: BufferingProxy }> {
      const proxy = await startBufferingProxy(() => listener.url, streams);
      const page = await (await browser.newContext()).newPage();
      onTestFinished(async () => {
        await page.context().close();
        await proxy.close();
      });
      await page.goto(proxy.url);
      return { page, proxy };
    }

    it.each(['hold', 'refuse'] as const)(
      'asks where the proxy does this to streams: %s; and goes back to the stream when it can',
      async (streams) => {
        state = emptyState;
        const { page, proxy } = await visit(streams);
        await page.getByText('Live stream unavailable, polling').waitFor();
        await page.getByText('Nothing runs right now').waitFor();
        expect(await page.locator('.pill').textContent()).toMatch(/^Polling/);
        expect(await page.title()).toBe('0 running · aiops');
        expect(await page.getByRole('button', { name: 'Poll now' }).isVisible()).toBe(true);
        state = richState;
        await page.getByText('Parse durations such as 1h30m').waitFor();
        proxy.streams = 'pass';
        proxy.cut();
        await page.getByText('Live', { exact: true }).waitFor();
        expect(await page.getByText('Live stream unavailable, polling').count()).toBe(0);
      },
    );

    it('falls back also when a stream that worked stops bringing anything', async () => {
      state = richState;
      const { page, proxy } = await visit('pass');
      await page.getByText('Live', { exact: true }).waitFor();
      proxy.streams = 'hold';
      proxy.cut();
      await page.getByText('Live stream unavailable, polling').waitFor();
      expect(await page.getByText(/this is how things stood/).count()).toBe(0);
    });
  },
);
