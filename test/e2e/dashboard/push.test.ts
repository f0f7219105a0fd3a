import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { type Listener, listen } from '../../../src/server/listen/listen.ts';
import { emptyState, richState, scriptedSource } from '../../integration/server/state-fixture.ts';

const TOKEN = 'dummy-own-token';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

describe.skipIf(CHROMIUM === undefined)('an issue held for a push, on the page', () => {
  const acted: string[] = [];
  const done = scriptedSource().act;
  let error = 'handed over in Human Review, but 2 commits on ai/demo-7 are not pushed';
  let held = true;
  let refuse: (() => void) | null = null;
  let browser: Browser;
  let listener: Listener;

  const snapshot = (): StateSnapshot => {
    const now = Date.now();
    const [row] = richState(now).blocked;
    if (row === undefined) throw new Error('the sample has no blocked issue');
    const { question: _question, ...rest } = row;
    const blocked = { ...rest, state: 'Human Review', method: 'not_pushed', error };
    return { ...emptyState(now), blocked: held ? [blocked] : [] };
  };
  const source = scriptedSource({
    snapshot,
    async act(request, from) {
      acted.push(`${request.kind} ${'issue' in request ? request.issue : '-'} ${request.by}`);
      if (acted.length > 1) {
        held = false;
        return done(request, from);
      }
      await new Promise<void>((resolve) => {
        refuse = resolve;
      });
      error = 'not pushed: the remote says: frozen until Monday';
      throw new AppError('push_failed', 'the remote says: frozen until Monday');
    },
  });

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    listener = await listen({
      app: createApp(source, { ownToken: TOKEN }),
      host: '127.0.0.1',
      port: 0,
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await listener?.close();
  });

  it('is pushed by a button that says what the remote answers', async () => {
    const page = await browser.newPage();
    await page.goto(`${listener.url}/#token=${TOKEN}`);
    const card = page.locator('.card-blocked');
    await card.getByText('Not pushed', { exact: true }).waitFor();
    expect(await card.getByRole('button').allTextContents()).toEqual(['Push it', 'Let it go']);
    await card.getByRole('button', { name: 'Push it' }).click();
    await card.getByRole('button', { name: 'Pushing…' }).waitFor();
    if (refuse === null) throw new Error('the worker was not asked');
    refuse();
    await card.getByText('Refused: the remote says: frozen until Monday').waitFor();
    await card.getByRole('button', { name: 'Push it' }).click();
    await card.waitFor({ state: 'detached' });
    const issue = richState(Date.now()).blocked[0]?.issue_identifier;
    expect(acted).toEqual([`push ${issue} dashboard`, `push ${issue} dashboard`]);
  });
});
