import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../cli/fixture.ts';
import { launchWorker, type WorkerProcess } from '../cli/worker-fixture.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  PHONE,
  visit,
} from './page-fixture.ts';

/** Writes down what the page shows; the browser shows it all the same. */
const RECORDER = `
  window.notices = [];
  window.Notification = class extends window.Notification {
    constructor(title, options) {
      super(title, options);
      window.notices.push([title, options.body]);
    }
  };`;

const notices = (page: Page): Promise<unknown> => page.evaluate('window.notices');

describe.skipIf(CHROMIUM === undefined)('notifications, over a real worker', () => {
  let browser: Browser;
  let fixture: Fixture;
  let worker: WorkerProcess;
  const ask = (id: string, question: string): Promise<void> =>
    fixture.writeIssue(id, { title: `Work of ${id}`, mock: { behaviour: 'ask', question } });
  const untilBlocked = (count: number): Promise<unknown> =>
    worker.until(`${count} wait for an answer`, ({ counts }) => counts.blocked === count);

  beforeAll(async () => {
    browser = await launchBrowser();
    fixture = await createFixture();
    await ask('ASK-1', 'Was it there before?');
    worker = await launchWorker(fixture).ready;
    await untilBlocked(1);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await worker?.end('SIGTERM');
    await fixture?.close();
  });

  it('come once for what begins to wait, after a person wanted them, also in a tab that nobody sees', async () => {
    const context = await browser.newContext();
    await context.grantPermissions(['notifications'], { origin: worker.url });
    await context.addInitScript(RECORDER);
    const page = await context.newPage();
    await page.goto(worker.url);
    await page.locator('.card-blocked').waitFor();
    const bell = page.getByRole('button', { name: 'Notify me' });
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
    await bell.click();
    await page.locator('button[aria-pressed="true"]', { hasText: 'Notify me' }).waitFor();
    const other = await context.newPage();
    await other.bringToFront();
    await ask('ASK-2', 'Blue or green?');
    await untilBlocked(2);
    await expect.poll(() => notices(page)).toEqual([['ASK-2: Asks a question', 'Blue or green?']]);
    // The choice stays, and what is there is not told again.
    await page.reload();
    await page.locator('.card-blocked').nth(1).waitFor();
    await ask('ASK-3', 'Left or right?');
    await untilBlocked(3);
    await expect.poll(() => notices(page)).toEqual([['ASK-3: Asks a question', 'Left or right?']]);
    await context.close();
  });

  it('that the browser refuses are told, and the page keeps to the rules and to the phone', async () => {
    const { page, problems } = await visit(browser, worker.url, PHONE);
    await page.locator('.card-blocked').first().waitFor();
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByText('The browser does not let this page notify you').waitFor();
    expect(await page.getByRole('button', { name: 'Notify me' }).getAttribute('aria-pressed')).toBe('false');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
