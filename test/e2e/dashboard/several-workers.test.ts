import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../cli/fixture.ts';
import { waitFor } from '../cli/wait.ts';
import { launchWorker, type WorkerProcess } from '../cli/worker-fixture.ts';
import { CHROMIUM, expectAccessible, expectNoSidewaysScroll, launchBrowser, PHONE } from './page-fixture.ts';

describe.skipIf(CHROMIUM === undefined)('several workers on one page', () => {
  let browser: Browser;
  const fixtures: Fixture[] = [];
  const workers: WorkerProcess[] = [];
  const at = (index: number): string => workers[index]?.url ?? '';

  beforeAll(async () => {
    browser = await launchBrowser();
    for (const _ of [0, 1]) {
      const fixture = await createFixture();
      fixtures.push(fixture);
      workers.push(await launchWorker(fixture).ready);
    }
    await fixtures[1]?.writeIssue('ASK-1', { mock: { behaviour: 'ask', question: 'Left or right?' } });
    await workers[1]?.until('ASK-1 waits', ({ counts }) => counts.blocked === 1);
    // As a person does it: each names the other, and both take it over at once.
    for (const [index, fixture] of fixtures.entries()) {
      const other = at(1 - index);
      await fixture.writeWorkflow({ server: { allowed_origins: [other] } });
      await waitFor('the other page may read', async () => {
        const response = await fetch(`${at(index)}/api/v1/state`, { headers: { origin: other } });
        await response.body?.cancel();
        return response.headers.get('access-control-allow-origin') === other || null;
      });
    }
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    for (const worker of workers) await worker.end('SIGTERM');
    for (const fixture of fixtures) await fixture.close();
  });

  it('are tabs with what needs a person at each, wherever the page goes', async () => {
    const page = await (await browser.newContext(PHONE)).newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    const { code } = (await workers[0]?.client.link()) ?? { code: '' };
    await page.goto(`${at(0)}/?worker=${encodeURIComponent(at(1))}#code=${code}`);
    const tab = (index: number) => page.locator(`[data-worker="${at(index)}"]`);
    await tab(1).getByText('1 needs you').waitFor();
    await tab(0).getByText('0 need you').waitFor();
    expect(await tab(0).getAttribute('aria-current')).toBe('page');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByLabel('Outcome', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.getAll('worker')).toEqual([at(1)]);
    // The other worker has its own page, where the same tabs are.
    await tab(1).click();
    await page.locator('.card-blocked').waitFor();
    expect(new URL(page.url()).origin).toBe(at(1));
    expect(await tab(1).getAttribute('aria-current')).toBe('page');
    await tab(0).getByText('0 need you').waitFor();
    await page.getByText('You are looking only').waitFor();
    // Each keeps the right to act that this browser tab got for it.
    await tab(0).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.waitForFunction(
      '[...document.querySelectorAll("button")].some((b) => b.textContent === "Pause" && !b.disabled)',
    );
    expect(problems).toEqual([]);
  });
});
