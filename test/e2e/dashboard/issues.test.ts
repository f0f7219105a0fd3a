import { readFile, writeFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../cli/fixture.ts';
import { waitFor } from '../cli/wait.ts';
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

/** One worker over a folder of issues that no agent takes: they wait for people. */
describe.skipIf(CHROMIUM === undefined)('the issues of the local tracker, over a real worker', () => {
  let browser: Browser;
  let fixture: Fixture;
  let worker: WorkerProcess;

  beforeAll(async () => {
    browser = await launchBrowser();
    fixture = await createFixture();
    await fixture.writeIssue('TASK-1', { title: 'Tidy the notes', state: 'Backlog', labels: ['docs'] });
    await fixture.writeIssue('TASK-2', {
      title: '<img src=x onerror=alert(1)> & "quotes"',
      state: 'Backlog',
      labels: ['<b>bold</b>'],
    });
    worker = await launchWorker(fixture).ready;
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await worker?.end('SIGTERM');
    await fixture?.close();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });

  const open = async (path: string, options = {}): Promise<Visit> => {
    const { code } = await worker.client.link();
    return visit(browser, `${worker.url}${path}#code=${code}`, options);
  };
  const column = (page: Page, state: string): Locator => page.locator(`[data-state="${state}"]`);
  const card = (page: Page, id: string): Locator => page.locator(`[data-issue="${id}"]`);
  const cardIn = (page: Page, state: string, id: string): Locator =>
    column(page, state).locator(`[data-issue="${id}"]`);
  const focused = (page: Page): Promise<unknown> => page.evaluate('document.activeElement?.dataset?.issue');
  const stateOnDisk = (id: string, state: string): Promise<true> =>
    waitFor(`${id} is in ${state}`, async () => (await fixture.issueState(id)) === state || null);

  it('is reached from the board, and a new issue is written there', async () => {
    const { page, problems } = await open('/');
    await page.getByRole('link', { name: 'Issues', exact: true }).click();
    await page.getByRole('button', { name: 'New issue' }).click();
    const dialog = page.getByRole('dialog', { name: 'New issue' });
    await dialog.getByLabel('Title').fill('Write the manual');
    await dialog.getByLabel('State').selectOption('Backlog');
    await dialog.getByLabel('Priority').fill('2');
    await dialog.getByLabel('Labels').fill('Docs, help');
    await dialog.getByLabel('Description').fill('One page.\n\n## Comments');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await cardIn(page, 'Backlog', 'TASK-3').waitFor();
    expect(await fixture.issueText('TASK-3')).toContain(
      'title: Write the manual\nstate: Backlog\npriority: 2\n',
    );
    expect(problems).toEqual([]);
  });

  it('is moved by keyboard, and the focus goes along', async () => {
    const { page, problems } = await open('/issues');
    await page.locator('[data-issue="TASK-1"][draggable="true"]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await cardIn(page, 'Human Review', 'TASK-1').waitFor();
    await page.getByText('TASK-1 is now in Human Review.').waitFor();
    expect(await focused(page)).toBe('TASK-1');
    await stateOnDisk('TASK-1', 'Human Review');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).not.toBe('TASK-1');
    expect(problems).toEqual([]);
  });

  it('is moved by dragging, and from the disk', async () => {
    const { page, problems } = await open('/issues');
    await page.locator('[data-issue="TASK-2"][draggable="true"]').hover();
    await page.mouse.down();
    // The first movement begins the drag, the second is over the column.
    await column(page, 'Human Review').hover();
    await column(page, 'Done').hover();
    await page.locator('.issue-column-over[data-state="Done"]').waitFor();
    await page.mouse.up();
    await cardIn(page, 'Done', 'TASK-2').waitFor();
    await stateOnDisk('TASK-2', 'Done');
    await fixture.moveIssue('TASK-2', 'Backlog');
    await cardIn(page, 'Backlog', 'TASK-2').waitFor();
    // What a title says is text.
    expect(await card(page, 'TASK-2').textContent()).toContain('<img src=x onerror=alert(1)> & "quotes"');
    expect(problems).toEqual([]);
  });

  it('is edited, and what somebody wrote meanwhile is shown and kept', async () => {
    const { page, problems } = await open('/issues?issue=TASK-1');
    const dialog = page.getByRole('dialog', { name: 'TASK-1' });
    await dialog.getByLabel('Title').fill('Tidy all notes');
    const path = fixture.issuePath('TASK-1');
    const before = await readFile(path, 'utf8');
    const theirs = before
      .replace('labels:', 'estimate: 3 days # mine\nlabels:')
      .replace(/^\s*- docs$/m, '  - urgent');
    expect(theirs).not.toBe(before);
    await writeFile(path, theirs);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Nothing was overwritten').waitFor();
    expect(await dialog.locator('.conflict').textContent()).toContain('urgent');
    expect(await readFile(path, 'utf8')).toBe(theirs);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep my changes' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const after = await readFile(path, 'utf8');
    expect(after).toContain('Tidy all notes');
    expect(after).toContain('estimate: 3 days # mine');
    expect(after).toContain('- urgent');
    // The refused request is told by the browser itself, and by nothing else.
    expect(problems.filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('warns before it drops what was written, and shows a form to who may only look without letting them write', async () => {
    const { page } = await open('/issues?issue=TASK-1');
    const dialog = page.getByRole('dialog', { name: 'TASK-1' });
    await dialog.getByLabel('Title').fill('Something else');
    await page.keyboard.press('Escape');
    await dialog.getByText('Your changes are not saved').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await fixture.issueText('TASK-1')).not.toContain('Something else');
    const looking = await visit(browser, `${worker.url}/issues?issue=TASK-1`);
    await looking.page.getByLabel('Title').waitFor();
    expect(await looking.page.getByLabel('Title').isDisabled()).toBe(true);
    expect(await looking.page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  it('breaks no rule for accessibility, light or dark, and fits a phone', async () => {
    await writeFile(fixture.issuePath('broken'), 'no issue');
    const wide = await open('/issues');
    await card(wide.page, 'TASK-1').waitFor();
    await wide.page.getByText('Files that are no issues').waitFor();
    await expectAccessible(wide.page);
    const { page, problems } = await open('/issues', PHONE);
    await card(page, 'TASK-1').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New issue' }).click();
    await page.getByRole('dialog').getByLabel('Title').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
