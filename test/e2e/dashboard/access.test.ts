import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import type { AccessTokens } from '../../../src/server/access/access.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { richState, scriptedSource } from '../../integration/server/state-fixture.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const TOKEN = 'dummy-own-token';

describe.skipIf(CHROMIUM === undefined)(`the right to act in ${CHROMIUM ?? 'Chromium'}`, () => {
  let browser: Browser;
  let listener: Listener;
  let tokens: AccessTokens;
  let startedAt: string;
  const acted: string[] = [];
  const scripted = scriptedSource();
  const source = scriptedSource({
    snapshot: () => ({ ...richState(Date.now()), started_at: startedAt }),
    act(request, from) {
      acted.push(request.kind);
      return scripted.act(request, from);
    },
  });

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    const app = createApp(source, { tokens: () => tokens });
    listener = await listen({ app, host: '127.0.0.1', port: 0, logger: silentLogger });
    reset();
  });
  afterAll(async () => {
    await browser?.close();
    await listener?.close();
  });
  afterEach(async () => {
    reset();
    await Promise.all(browser.contexts().map((context) => context.close()));
  });

  function reset(): void {
    tokens = { full: null, readOnly: null, own: TOKEN, required: 'actions' };
    startedAt = '2026-07-01T09:00:00.000Z';
    acted.length = 0;
  }

  async function visit(fragment: string): Promise<{ page: Page; problems: string[] }> {
    const page = await (await browser.newContext()).newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (request.url().includes(TOKEN)) problems.push(`the token is in ${request.url()}`);
    });
    await page.goto(`${listener.url}/${fragment}`);
    return { page, problems };
  }

  const looking = (page: Page) => page.getByText('You are looking only.');
  const pause = (page: Page) => page.getByRole('button', { name: 'Pause' });

  it('without a link everything shows, nothing acts, and the page says how to get the right', async () => {
    const { page, problems } = await visit('');
    await looking(page).waitFor();
    expect(await page.getByText('Parse durations such as 1h30m').isVisible()).toBe(true);
    expect(await page.locator('.looking-only').textContent()).toContain('aiops open');
    const labels = ['Pause', 'Retry now', 'Try again with fresh budgets', 'Send answer'];
    for (const name of labels)
      expect(await page.getByRole('button', { name }).first().isDisabled()).toBe(true);
    expect(await page.locator('.card-running').first().getByRole('button').isDisabled()).toBe(true);
    expect(await page.getByLabel('Your answer').isDisabled()).toBe(true);
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/refresh'));
    await page.getByRole('button', { name: 'Poll now' }).click();
    expect((await answered).status()).toBe(202);
    expect([acted, problems]).toEqual([[], []]);
  });

  it('the link gives it in one step, leaves the address, and a reload keeps it for the tab', async () => {
    const { page, problems } = await visit(`#token=${TOKEN}`);
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause']);
    expect(page.url()).toBe(`${listener.url}/`);
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
    await page.reload();
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause', 'pause']);
    expect(await looking(page).count()).toBe(0);
    expect(problems).toEqual([]);
    // Another tab has no part in it.
    const other = await page.context().newPage();
    await other.goto(listener.url);
    await looking(other).waitFor();
  });

  it('a code gives it once', async () => {
    const { code } = await createClient({ baseUrl: listener.url, fetch, token: TOKEN }).link();
    const { page } = await visit(`#code=${code}`);
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause']);
    const { page: late } = await visit(`#code=${code}`);
    await looking(late).waitFor();
    expect(late.url()).toBe(`${listener.url}/`);
  });

  it('a link opened in a tab that looks gives it there', async () => {
    const { page } = await visit('');
    await looking(page).waitFor();
    await page.goto(`${listener.url}/#token=${TOKEN}`);
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause']);
  });

  it('it goes with the worker that gave it', async () => {
    const { page } = await visit(`#token=${TOKEN}`);
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause']);
    tokens = { ...tokens, own: 'token-of-the-next-life' };
    startedAt = '2026-07-01T10:00:00.000Z';
    await looking(page).waitFor();
    expect(await pause(page).isDisabled()).toBe(true);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('with server.require_token all, nothing shows without it and everything with it', async () => {
    tokens = { ...tokens, required: 'all' };
    const { page } = await visit('');
    await page.getByText('It shows itself only to who has its token.').waitFor();
    expect(await page.getByText('Parse durations such as 1h30m').count()).toBe(0);
    const { page: open, problems } = await visit(`#token=${TOKEN}`);
    await open.getByText('Parse durations such as 1h30m').waitFor();
    await open.getByText('Live', { exact: true }).waitFor();
    await pause(open).click();
    await expect.poll(() => acted).toEqual(['pause']);
    expect(problems).toEqual([]);
  });

  it('where the user set a token, the browser asks for it as before, and it acts', async () => {
    tokens = { ...tokens, full: 'users-token' };
    const context = await browser.newContext({
      httpCredentials: { username: 'aiops', password: 'users-token' },
    });
    const page = await context.newPage();
    await page.goto(listener.url);
    await pause(page).click();
    await expect.poll(() => acted).toEqual(['pause']);
    expect(await looking(page).count()).toBe(0);
  });
});
