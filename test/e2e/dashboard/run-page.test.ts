import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../cli/fixture.ts';
import { launchWorker, type WorkerProcess } from '../cli/worker-fixture.ts';
import {
  CHROMIUM,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  PHONE,
  type Visit,
  visit,
} from './page-fixture.ts';

const TABS = ['Timeline', 'Changes', 'Prompt', 'Facts'] as const;

/** One worker with two issues: one whose run is over, one whose run goes on. */
describe.skipIf(CHROMIUM === undefined)('the page of a run, over a real worker', () => {
  let browser: Browser;
  let fixture: Fixture;
  let worker: WorkerProcess;
  let done: string;
  let live: string;

  const start = async (): Promise<void> => {
    worker = await launchWorker(fixture).ready;
  };

  beforeAll(async () => {
    browser = await launchBrowser();
    fixture = await createFixture({
      hooks: { before_run: 'echo preparing the workspace' },
      agent: { max_turns: 900 },
      verify: { commands: ['echo all checks passed && false'] },
    });
    await fixture.writeIssue('RUN-1', { title: 'Write the notes', mock: { turns: 2, step_ms: 5 } });
    await start();
    done = await worker.until(
      'RUN-1 is delivered',
      ({ ended }) => ended.find(({ outcome }) => outcome === 'delivered')?.run_id ?? null,
    );
    await fixture.writeIssue('RUN-2', {
      title: 'Think for long',
      mock: { behaviour: 'turns', turns: 900, step_ms: 500 },
    });
    live = (await worker.untilRunning('RUN-2')).run_id;
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await worker?.end('SIGTERM');
    await fixture?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });

  const token = async (): Promise<string> => {
    const { code } = await worker.client.link();
    return code;
  };
  const open = async (path: string, options = {}): Promise<Visit> =>
    visit(browser, `${worker.url}${path}#code=${await token()}`, options);
  const turn = (page: Page, number: number) =>
    page.locator('.entry-turn', { hasText: `Turn ${number}` }).first();
  const entry = (page: Page, text: string) => page.locator('.entry', { hasText: text });

  it('shows phases, hooks, commands with exit codes and output, tools with inputs, and what turns took', async () => {
    const { page, problems } = await open(`/runs/${done}`);
    await page.getByRole('heading', { name: /RUN-1 Write the notes/ }).waitFor();
    await page.getByText('Delivered', { exact: true }).waitFor();
    const hook = entry(page, 'before_run succeeded');
    await hook.getByRole('button').click();
    expect(await hook.textContent()).toContain('preparing the workspace');
    await page.getByRole('searchbox').fill('turn 2');
    expect(await turn(page, 2).textContent()).toMatch(/\d\.\d s.*1\.5k tokens/);
    await page.getByRole('searchbox').fill('all checks');
    const check = entry(page, 'Verified with');
    await check.getByText('exit 1').waitFor();
    await check.getByRole('button').click();
    expect(await check.locator('pre').last().textContent()).toBe('all checks passed\n');
    expect(await page.locator('.entry mark').first().textContent()).toBe('all checks');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Tools', exact: true }).click();
    const move = entry(page, 'issue_move');
    await move.getByRole('button').click();
    expect(await move.locator('pre').first().textContent()).toContain('Human Review');
    expect(page.url()).toContain('topic=tools');
    expect(problems).toEqual([]);
  });

  it('shows the diff with its files and commits, the prompt as rendered, and the evidence', async () => {
    const { page, problems } = await open(`/runs/${done}?tab=diff`);
    await page.getByRole('button', { name: 'RUN-1.md', exact: false }).first().waitFor();
    await page.locator('.diff-added', { hasText: 'step 2' }).waitFor();
    expect(await page.locator('.commits li').count()).toBe(2);
    await page.getByRole('tab', { name: 'Prompt' }).click();
    expect(await page.locator('.prompt-text').first().textContent()).toContain(
      'Work on RUN-1: Write the notes',
    );
    await page.getByRole('tab', { name: 'Facts' }).click();
    const facts = await page.locator('.fact-list').textContent();
    for (const expected of ['Todo → Human Review', 'by the agent', '2 ahead of the base', 'Pushedyes'])
      expect(facts).toContain(expected);
    expect(problems).toEqual([]);
  });

  it('follows a run as it goes on, in two tabs, and a reload in the middle loses nothing', async () => {
    const { page, problems } = await open(`/runs/${live}`);
    const { page: other } = await open(`/runs/${live}`);
    await page.getByText('Running', { exact: true }).waitFor();
    const rows = async (tab: Page): Promise<number> =>
      Number.parseInt((await tab.locator('.timeline .toolbar-note').textContent()) ?? '0', 10);
    const before = await rows(page);
    await expect.poll(() => rows(page), { timeout: 20_000 }).toBeGreaterThan(before + 3);
    await expect.poll(() => rows(other), { timeout: 20_000 }).toBeGreaterThan(before + 3);
    const seen = await rows(page);
    await page.reload();
    await expect.poll(() => rows(page), { timeout: 20_000 }).toBeGreaterThanOrEqual(seen);
    expect(await page.locator('.entry', { hasText: 'events were not kept' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('says something to the agent, and the timeline tells whether it was heard', async () => {
    const { page } = await open(`/runs/${live}`);
    await page.getByLabel('Message to the agent').fill('Please hurry.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('searchbox').fill('operator message');
    await entry(page, 'operator message not sent').first().waitFor();
  });

  it('is read from the disk after a restart of the worker, at the same address', async () => {
    const { page } = await open(`/runs/${done}`);
    await page.getByText('Delivered', { exact: true }).waitFor();
    await worker.end('SIGTERM');
    await page.getByText(/this is how things stood/).waitFor();
    await start();
    const { page: fresh, problems } = await open(`/runs/${done}`);
    await turn(fresh, 1).waitFor();
    await fresh.getByText('Delivered', { exact: true }).waitFor();
    live = (await worker.untilRunning('RUN-2')).run_id;
    expect(problems).toEqual([]);
  }, 60_000);

  it.each(TABS)(
    'breaks no rule for accessibility, light or dark, and fits a phone: %s',
    async (tab) => {
      const { page, problems } = await open(`/runs/${done}`, PHONE);
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('.entry, .diff-line, .prompt-text, .fact-list').first().waitFor();
      await expectNoSidewaysScroll(page);
      await page.setViewportSize({ width: 1280, height: 800 });
      await expectAccessible(page);
      expect(problems).toEqual([]);
    },
    60_000,
  );

  it('can be used with keys alone, and lists them', async () => {
    const { page, problems } = await open(`/runs/${done}`);
    await turn(page, 1).waitFor();
    await page.keyboard.press('2');
    await page.locator('.diff-line').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('t');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await page.keyboard.press('t');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.keyboard.press('b');
    await page.getByText('Running', { exact: true }).first().waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Changes', selected: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('says so when there is no such run', async () => {
    const { page } = await open('/runs/nothing-like-it');
    await page.getByRole('heading', { name: 'There is no such run' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the board' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('stops the run where it is looked at, and lets it be tried again', async () => {
    const { page } = await open(`/runs/${live}`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop this run?' }).click();
    const held = page.getByRole('region', { name: 'Needs you' });
    await held.getByText('Stopped by hand').waitFor();
    await held.getByRole('button', { name: 'Try again', exact: true }).click();
    await worker.untilRunning('RUN-2');
    await expect.poll(() => held.count(), { timeout: 10_000 }).toBe(0);
  });
});
