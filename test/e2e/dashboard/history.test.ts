import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
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

describe.skipIf(CHROMIUM === undefined)('the history, over a real worker', () => {
  let browser: Browser;
  let fixture: Fixture;
  let worker: WorkerProcess;

  beforeAll(async () => {
    browser = await launchBrowser();
    fixture = await createFixture();
    await fixture.writeIssue('HIS-1', { title: '=HYPERLINK("x")', mock: { step_ms: 1 } });
    await fixture.writeIssue('HIS-2', { mock: { behaviour: 'fail', times: 1, step_ms: 1 } });
    worker = await launchWorker(fixture).ready;
    await worker.until('both are delivered', ({ counts }) => counts.delivered_total === 2);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await worker?.end('SIGTERM');
    await fixture?.close();
  });

  it('counts runs by outcome, tells what went wrong and what each agent did, and links keep the filters', async () => {
    const { page, problems } = await visit(browser, `${worker.url}/history?days=7`);
    const runs = page.locator('.chart', { hasText: 'Runs by outcome' });
    await runs.getByText('3 runs, 2 delivered').waitFor();
    await runs.getByText('As a table').click();
    expect(await runs.locator('tbody tr').count()).toBe(1);
    await runs.locator('svg g').last().hover();
    await runs.getByText(/: 2 delivered, 1 failed$/).waitFor();
    await page.mouse.move(0, 0);
    expect(await page.locator('.chart', { hasText: 'What went wrong' }).textContent()).toContain(
      'turn failed1',
    );
    expect(await page.locator('.chart', { hasText: 'Time to delivery' }).textContent()).toContain(
      'half within',
    );
    expect(await page.locator('.agents tbody').textContent()).toContain('mockdefault32 (67 %)');
    await page.getByLabel('Outcome', { exact: true }).selectOption('failed');
    await runs.getByText('1 run, 0 delivered').waitFor();
    expect(page.url()).toContain('outcome=failed');
    await page.reload();
    await runs.getByText('1 run, 0 delivered').waitFor();
    expect(problems).toEqual([]);
  });

  it('is taken away as CSV and JSON', async () => {
    const { page } = await visit(browser, `${worker.url}/history`);
    const take = async (name: string): Promise<string> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(`runs-30-days.${name.toLowerCase()}`);
      return readFile(await file.path(), 'utf8');
    };
    const csv = await take('CSV');
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(JSON.parse(await take('JSON'))).toHaveLength(3);
  });

  it('breaks no rule for accessibility, light or dark, and fits a phone', async () => {
    const { page, problems } = await visit(browser, `${worker.url}/history`, PHONE);
    await page.locator('.chart').first().waitFor();
    await page.getByText('As a table').first().click();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByLabel('Outcome', { exact: true }).selectOption('stalled');
    await page.getByText('No run ended in these 30 days').waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
