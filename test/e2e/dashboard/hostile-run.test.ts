import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunDetail, RunDiff, TimelineEntry } from '../../../src/contract/runs.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { richState, scriptedSource } from '../../integration/server/state-fixture.ts';
import { CHROMIUM, expectNoSidewaysScroll, launchBrowser, PHONE, visit } from './page-fixture.ts';
import { sampleDetail, sampleDiff, sampleEntries } from './sample-run.ts';

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>[x](javascript:alert(3))';
const NOW = Date.now();
const [ended] = richState(NOW).ended;
if (ended === undefined) throw new Error('the sample has no finished run');

/** What agents write is hostile, and there may be much of it. */
describe.skipIf(CHROMIUM === undefined)('the page of a run, whatever the agent wrote', () => {
  let browser: Browser;
  let listener: Listener;
  let detail: RunDetail;
  let entries: readonly TimelineEntry[];
  let diff: RunDiff;

  beforeAll(async () => {
    browser = await launchBrowser();
    const source = scriptedSource({
      snapshot: () => richState(Date.now()),
      run: () => detail,
      runEvents: async (run, { after, limit }) => {
        const page = entries.slice(after, after + limit);
        const next = after + limit < entries.length ? (page.at(-1)?.seq ?? null) : null;
        return { run_id: run, events: page, next, live: false, unreadable: 0 };
      },
      runDiff: async () => diff,
    });
    listener = await listen({ app: createApp(source), host: '127.0.0.1', port: 0, logger: silentLogger });
  });
  afterAll(async () => {
    await browser?.close();
    await listener?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });

  const address = (query = '') => `${listener.url}/runs/${ended.run_id}${query}`;

  it('is text, never markup: titles, messages, output, paths, commits; and links lead to web pages only', async () => {
    detail = sampleDetail({
      ...ended,
      title: MARKUP,
      summary: MARKUP,
      issue_url: 'javascript:alert(4)',
      pull_request_url: 'data:text/html,<script>alert(5)</script>',
      branch: MARKUP,
    });
    entries = sampleEntries(NOW, [
      ['activity', MARKUP, { activity: 'message' }],
      [
        'activity',
        MARKUP,
        { activity: 'command', call_id: 'x', output: MARKUP, input: MARKUP, exit_code: 1 },
      ],
      ['prompt', MARKUP, { turn: 1 }],
      [MARKUP, MARKUP, { turn: MARKUP, tool: MARKUP }],
    ]);
    diff = sampleDiff(ended.run_id, {
      patch: `diff --git a/${MARKUP}.html b/${MARKUP}.html\n--- a/${MARKUP}.html\n+++ b/${MARKUP}.html\n@@ -1 +1 @@ ${MARKUP}\n-${MARKUP}\n+${MARKUP} changed\n`,
      untracked: [MARKUP],
      commits: [{ sha: MARKUP, subject: MARKUP, author: MARKUP, at: '2026-07-01T09:21:00.000Z' }],
    });
    const { page, problems } = await visit(browser, address());
    expect(await page.locator('.run-heading bdi').textContent()).toBe(MARKUP);
    await page.locator('.entry-code').getByRole('button').click();
    expect(await page.locator('.entry-code pre').last().textContent()).toBe(MARKUP);
    for (const tab of ['Changes', 'Prompt', 'Facts']) await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tab', { name: 'Changes' }).click();
    expect(await page.locator('.diff-removed .diff-code').textContent()).toBe(MARKUP);
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    const links = (await page.evaluate(
      '[...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))',
    )) as string[];
    expect(links.filter((link) => !/^(?:https?:|\/|#)/.test(link))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('may be 20,000 rows, of which only those in sight are drawn, and which are searched', async () => {
    detail = sampleDetail(ended);
    const long = 'unbroken'.repeat(200);
    entries = sampleEntries(
      NOW,
      Array.from({ length: 20_000 }, (_, index) => [
        'activity',
        index === 17_000 ? `the needle ${long}` : `message ${index}\nof two lines`,
        { activity: 'message' },
      ]),
    );
    const { page, problems } = await visit(browser, address(), PHONE);
    await page.getByText('20,000 rows', { exact: true }).waitFor();
    expect(await page.locator('.entry').count()).toBeLessThan(80);
    await page.keyboard.press('End');
    await page.getByText('message 19999').waitFor();
    expect(await page.locator('.entry').count()).toBeLessThan(80);
    await page.keyboard.press('Home');
    await page.getByText('message 0').first().waitFor();
    await page.getByRole('searchbox').fill('needle');
    await page.getByText('1 of 20,000 rows').waitFor();
    await expectNoSidewaysScroll(page);
    expect(problems).toEqual([]);
  }, 30_000);

  it('may be a diff of 5 MB, of which the page says what it folded', async () => {
    detail = sampleDetail(ended);
    entries = [];
    diff = sampleDiff(ended.run_id, { patch: largePatch(), files: [], truncated: true });
    expect(diff.patch.length).toBeGreaterThan(5 * 1024 * 1024);
    const { page, problems } = await visit(browser, address('?tab=diff'));
    await page.getByText(/of 52 files are folded/).waitFor();
    await page.getByText('The rest is cut').waitFor();
    await page.getByText('20,000 changed lines folded: large').waitFor();
    expect(await page.locator('.diff-line').count()).toBeLessThan(200);
    await page.getByRole('button', { name: 'huge.ts' }).last().click();
    await page.locator('.diff-line', { hasText: 'value0 = 0' }).first().waitFor();
    expect(await page.getByText('20,000 changed lines folded: large').count()).toBe(0);
    expect(problems).toEqual([]);
  }, 30_000);
});

function largePatch(): string {
  const files = [fileOf('a/huge.ts', 20_000), fileOf('a/package-lock.json', 2_000)];
  for (let index = 0; index < 50; index += 1) files.push(fileOf(`b/file${index}.ts`, 1_200));
  return files.join('');
}

function fileOf(path: string, lines: number): string {
  const text = Array.from(
    { length: lines },
    (_, index) => `+export const value${index} = ${index}; // a line as long as lines often are, to fill`,
  );
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${text.join('\n')}\n`;
}
