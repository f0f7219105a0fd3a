import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { emptyState, richState, scriptedSource } from '../../integration/server/state-fixture.ts';
import { CHROMIUM, expectAccessible } from './page-fixture.ts';

const TOKEN = 'dummy-own-token';

describe.skipIf(CHROMIUM === undefined)(
  `the dashboard in ${CHROMIUM ?? 'Chromium, which is not installed'}`,
  () => {
    let browser: Browser;
    let listener: Listener;
    let state: (now: number) => StateSnapshot = richState;
    const acted: string[] = [];
    const done = scriptedSource().act;
    const source = scriptedSource({
      snapshot: () => state(Date.now()),
      async act(request, from) {
        const { issue = '-', text = '-' } = request as { issue?: string; text?: string };
        acted.push([request.kind, issue, text, request.by].join(' '));
        if (request.kind === 'stop')
          throw new AppError('action_not_applicable', 'it has no live run to stop');
        return done(request, from);
      },
    });
    const app = createApp(source, { ownToken: TOKEN });
    const open = (port: number) => listen({ app, host: '127.0.0.1', port, logger: silentLogger });

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
      listener = await open(0);
    });
    afterAll(async () => {
      await browser?.close();
      await listener?.close();
    });
    afterEach(async () => {
      state = richState;
      await Promise.all(browser.contexts().map((context) => context.close()));
    });

    /** Opens the page and collects whatever the browser complains about. */
    async function visit(
      options: BrowserContextOptions = {},
      fragment = `#token=${TOKEN}`,
    ): Promise<{ page: Page; problems: string[] }> {
      const page = await (await browser.newContext(options)).newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(listener.url)) problems.push(`foreign request: ${request.url()}`);
      });
      await page.goto(`${listener.url}/${fragment}`);
      await page.getByText('Running', { exact: true }).first().waitFor();
      return { page, problems };
    }

    it('shows every part of the state without breaking the content policy or leaving its origin (R-13.7.1-a, R-13.7.2-n)', async () => {
      const { page, problems } = await visit();
      const text = await page.locator('main').textContent();
      for (const expected of [
        'Parse durations such as 1h30m',
        '41 passed, 1 failed',
        'turn 2 of 6',
        'all 3 agent slots are busy',
        'After a failure',
        'nightly image',
        'What to do:',
        'Delivered',
        '3 commits pushed',
        'worker started with 9 candidates',
      ]) {
        expect(text).toContain(expected);
      }
      expect(await page.title()).toBe('3 running, 2 blocked · aiops');
      expect(await page.getByText('v0.1.0').isVisible()).toBe(true);
      expect(problems).toEqual([]);
    });

    it('follows the worker without a reload', async () => {
      state = emptyState;
      const { page } = await visit();
      await page.getByText('Nothing runs right now').waitFor();
      state = richState;
      await page.getByText('Parse durations such as 1h30m').waitFor();
    });

    it('says how old its facts are while the worker is away, and recovers by itself (R-13.4-a)', async () => {
      const { page } = await visit();
      await page.getByText('Live', { exact: true }).waitFor();
      await listener.close();
      await page.getByText(/this is how things stood \d+s ago/).waitFor();
      expect(await page.getByText('Parse durations such as 1h30m').isVisible()).toBe(true);
      const runtime = page.locator('.runtime b').first();
      const frozen = await runtime.textContent();
      await page.getByText(/this is how things stood [5-9]s ago/).waitFor();
      expect(await runtime.textContent()).toBe(frozen);
      listener = await open(listener.port);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await page.getByText(/this is how things stood/).count()).toBe(0);
    });

    it('asks the worker to poll', async () => {
      const { page, problems } = await visit();
      const before = source.refreshes();
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/refresh'));
      await page.getByRole('button', { name: 'Poll now' }).click();
      expect((await answered).status()).toBe(202);
      expect(source.refreshes()).toBe(before + 1);
      expect(problems).toEqual([]);
    });

    it('carries out what an operator asks, and says when it cannot', async () => {
      const { page } = await visit();
      acted.length = 0;
      await page.getByLabel('Your answer').fill('Keep it until 1.0.');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.getByRole('button', { name: 'Retry now' }).first().click();
      await page.getByRole('button', { name: 'Try again with fresh budgets' }).last().click();
      await page.getByRole('button', { name: 'Pause' }).click();
      const stop = page.locator('.card-running').first().getByRole('button');
      await stop.click();
      expect(acted.some((line) => line.startsWith('stop'))).toBe(false);
      await stop.click();
      await page.getByText('Refused: it has no live run to stop').waitFor();
      expect(acted.toSorted()).toEqual([
        'answer DEMO-8 Keep it until 1.0. dashboard',
        'pause - - dashboard',
        'retry DEMO-10 - dashboard',
        'stop DEMO-11 - dashboard',
        'unblock DEMO-7 - dashboard',
      ]);
    });

    it('treats what trackers and agents say as text, never as markup or script', async () => {
      const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
      const hostileRun = 'hostile/../run';
      state = (now) => {
        const rich = richState(now);
        const [row] = rich.running;
        if (row === undefined) throw new Error('the sample has no running issue');
        const hostile = {
          ...row,
          run_id: hostileRun,
          title: markup,
          last_message: markup,
          issue_url: 'javascript:document.title=3',
        };
        return { ...rich, running: [hostile] };
      };
      const { page, problems } = await visit();
      expect(await page.locator('.card-running .issue-title').textContent()).toBe(markup);
      expect(await page.locator('img, main script').count()).toBe(0);
      expect(await page.locator('.card-running .issue-id').getAttribute('href')).toBe(
        '/runs/hostile%2F..%2Frun',
      );
      expect(await page.locator('.card-running .issue-tracker').count()).toBe(0);
      expect(problems).toEqual([]);
    });

    it.each([390, 640, 820, 1440])('fits a window %d px wide, long words included', async (width) => {
      state = (now) => {
        const rich = richState(now);
        const long = 'unbroken'.repeat(40);
        const stretch = <Row extends { title: string; issue_identifier: string; state: string }>(
          row: Row,
        ): Row => ({
          ...row,
          title: long,
          issue_identifier: long,
          state: long,
        });
        return {
          ...rich,
          running: rich.running.map((row) => ({ ...stretch(row), branch: long, last_message: long })),
          waiting: rich.waiting.map((row) => ({ ...stretch(row), reason: long })),
          retrying: rich.retrying.map((row) => ({ ...stretch(row), error: long })),
          blocked: rich.blocked.map((row) => ({ ...stretch(row), error: long, branch: long })),
          ended: rich.ended.map((row) => ({ ...stretch(row), summary: long, branch: long })),
          recent_events: rich.recent_events.map((event) => ({
            ...event,
            issue_identifier: long,
            message: long,
          })),
          config: { workflow_path: `/${long}` },
        };
      };
      const { page } = await visit({ viewport: { width, height: 800 } });
      await page.locator('.card-running').first().waitFor();
      const excess = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(excess).toBe(0);
    });

    it('follows the preferences for colour and motion', async () => {
      const background = 'getComputedStyle(document.documentElement).backgroundColor';
      const { page: light } = await visit({ colorScheme: 'light' });
      const { page: dark } = await visit({ colorScheme: 'dark', reducedMotion: 'reduce' });
      expect(await light.evaluate(background)).not.toBe(await dark.evaluate(background));
      const moving = 'document.getAnimations().length';
      expect(await light.evaluate(moving)).toBeGreaterThan(0);
      expect(await dark.evaluate(moving)).toBe(0);
    });

    it('is searched, ordered and made dense, by choices in the address', async () => {
      const { page, problems } = await visit();
      await page.keyboard.press('/');
      await page.keyboard.type('durations');
      await expect.poll(() => page.locator('.card-running').count()).toBe(1);
      expect(await page.locator('.card-blocked').count()).toBe(0);
      expect(page.url()).toContain('q=durations');
      await page.reload();
      await page.getByText('Parse durations such as 1h30m').waitFor();
      expect(await page.locator('.card-running').count()).toBe(1);
      await page.getByRole('searchbox').fill('');
      await page.getByLabel('Order').selectOption('tokens');
      await expect.poll(() => page.locator('.card-running .issue-id').first().textContent()).toBe('DEMO-12');
      await page.getByLabel('Compact').check();
      await expect.poll(() => page.locator('.board-compact').count()).toBe(1);
      await expectAccessible(page);
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      expect(await page.locator(':focus').textContent()).toBe('DEMO-11');
      await page.keyboard.press('k');
      expect(await page.locator(':focus').textContent()).toBe('DEMO-12');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
      expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    });

    it('shows what waits for a reviewer and what runs out', async () => {
      state = (now) => {
        const rich = richState(now);
        return {
          ...rich,
          in_review: rich.ended.slice(0, 1),
          rate_limits: { primary: { used_percent: 97 } },
          spending: { ...rich.spending, day_limits: { tokens: 1000 } },
        };
      };
      const { page, problems } = await visit();
      const review = page.getByRole('region', { name: 'In review' });
      await review.getByText('Accept 1h30m as a timeout').waitFor();
      expect(await page.locator('.meter', { hasText: 'short window' }).textContent()).toBe(
        'Agent: short window97 % used',
      );
      expect(await page.locator('.meter').first().textContent()).toContain('Tokens today');
      await expectAccessible(page);
      expect(problems).toEqual([]);
    });

    it('teaches whoever has just begun', async () => {
      state = emptyState;
      const { page, problems } = await visit({ viewport: { width: 390, height: 844 } });
      await page.getByRole('heading', { name: 'Nothing has run yet' }).waitFor();
      expect(await page.locator('.first-run').textContent()).toContain('aiops issue new');
      await expectAccessible(page);
      expect(problems).toEqual([]);
    });

    it('shows more rows when somebody wants them', async () => {
      state = (now) => {
        const rich = richState(now);
        const [row] = rich.waiting;
        if (row === undefined) throw new Error('the sample has no waiting issue');
        const waiting = Array.from({ length: 500 }, (_, index) => ({ ...row, issue_id: `w-${index}` }));
        return { ...rich, waiting };
      };
      const { page } = await visit();
      const list = page.getByRole('region', { name: 'Waiting' });
      await list.getByText('and 470 more').waitFor();
      await list.getByRole('button', { name: 'Show 200' }).click();
      await expect.poll(() => list.locator('.line').count()).toBe(230);
    });

    it('can be used with the keyboard alone', async () => {
      const { page } = await visit();
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').textContent()).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').getAttribute('href')).toBe('#running');
    });

    it('has one heading per section and labels for screen readers', async () => {
      const { page } = await visit();
      const headings = await page.locator('h2').allTextContents();
      expect(headings.map((text) => text.replace(/\s*\d+$/, ''))).toEqual([
        'Running',
        'Needs you',
        'Retrying',
        'Waiting',
        'Finished runs',
        'Recent events',
      ]);
      expect(await page.getByRole('status').textContent()).toBe(
        'Live: 3 running, 2 waiting, 2 retrying, 2 blocked, 4 delivered',
      );
      expect(await page.getByRole('region', { name: 'Needs you' }).count()).toBe(1);
    });
  },
);
