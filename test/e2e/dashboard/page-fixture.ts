import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
}

export interface Visit {
  readonly page: Page;
  /** What the browser complains about, and whatever would leave the page's origin. */
  readonly problems: string[];
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const page = await (await browser.newContext(options)).newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) problems.push(`foreign request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, problems };
}

export const PHONE = { viewport: { width: 390, height: 844 } } as const;

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(excess).toBe(0);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No rule of axe-core is broken, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const before = await page.evaluate('document.documentElement.dataset.theme');
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
    // The content policy keeps script tags out, not what the browser's own tools evaluate.
    await page.evaluate(AXE);
    const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
    };
    const told = found.violations.map(({ id, nodes }) => [
      theme,
      id,
      ...nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
    ]);
    expect(told).toEqual([]);
  }
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(before)}`);
}
