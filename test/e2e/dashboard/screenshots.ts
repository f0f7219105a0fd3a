import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createApp } from '../../../src/server/app.ts';
import { listen } from '../../../src/server/listen/listen.ts';
import { emptyState, richState, scriptedSource } from '../../integration/server/state-fixture.ts';
import { launchBrowser, PHONE } from './page-fixture.ts';
import { sampleHistory } from './sample-history.ts';
import { sampleEditor } from './sample-issues.ts';
import { sampleDetail, sampleDiff, sampleEntries } from './sample-run.ts';

/** `npm run screenshots -- [folder [view…]]`: every view, or these, wide and on a phone, light and dark. */
const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const TOKEN = 'dummy-own-token';
const now = Date.now();
const rich = richState(now);
const [ended] = rich.ended;
if (ended === undefined) throw new Error('the sample has no finished run');

let state: (now: number) => StateSnapshot = richState;
const source = scriptedSource({
  snapshot: () => state(Date.now()),
  run: () =>
    sampleDetail({ ...ended, agent_provider: 'codex-app-server', agent_profile: 'careful', cost_usd: 0.43 }),
  runEvents: async (run) => ({
    run_id: run,
    events: sampleEntries(now - 900_000),
    next: null,
    live: false,
    unreadable: 0,
  }),
  runDiff: async (run) => sampleDiff(run),
  issueEditor: sampleEditor,
  runs: () => ({ runs: sampleHistory(ended, now), next: null }),
});

const VIEWS: readonly {
  name: string;
  path: string;
  state: (now: number) => StateSnapshot;
  ready(page: Page): Promise<void>;
}[] = [
  {
    name: 'idle',
    path: '/',
    state: emptyState,
    ready: (page) => page.getByText('Nothing runs right now').waitFor(),
  },
  {
    name: 'busy',
    path: '/',
    state: richState,
    ready: (page) => page.locator('.card-running').first().waitFor(),
  },
  {
    name: 'blocked',
    path: '/#blocked',
    state: richState,
    ready: (page) => page.locator('.card-blocked').first().waitFor(),
  },
  {
    name: 'run',
    path: `/runs/${ended.run_id}`,
    state: richState,
    ready: (page) => page.locator('.entry').first().waitFor(),
  },
  {
    name: 'run-diff',
    path: `/runs/${ended.run_id}?tab=diff`,
    state: richState,
    ready: (page) => page.locator('.diff-line').first().waitFor(),
  },
  {
    name: 'run-prompt',
    path: `/runs/${ended.run_id}?tab=prompt`,
    state: richState,
    ready: (page) => page.locator('.prompt-text').first().waitFor(),
  },
  {
    name: 'run-facts',
    path: `/runs/${ended.run_id}?tab=facts`,
    state: richState,
    ready: (page) => page.locator('.fact-list').first().waitFor(),
  },
  {
    name: 'history',
    path: '/history',
    state: richState,
    ready: (page) => page.locator('.chart').first().waitFor(),
  },
  {
    name: 'issues',
    path: '/issues',
    state: withIssues,
    ready: (page) => page.locator('.issue-card').first().waitFor(),
  },
  {
    name: 'issue',
    path: '/issues?issue=DEMO-1',
    state: withIssues,
    ready: (page) => page.getByLabel('Description').waitFor(),
  },
];

function withIssues(at: number): StateSnapshot {
  const state = richState(at);
  return { ...state, tracker: { ...state.tracker, editable: true } };
}

const SIZES = { desktop: { viewport: { width: 1440, height: 900 } }, phone: PHONE } as const;

await mkdir(folder, { recursive: true });
const listener = await listen({
  app: createApp(source, { ownToken: TOKEN }),
  host: '127.0.0.1',
  port: 0,
  logger: silentLogger,
});
const browser = await launchBrowser();
try {
  for (const view of VIEWS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    for (const [size, options] of Object.entries(SIZES)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        state = view.state;
        const page = await (await browser.newContext({ ...options, colorScheme })).newPage();
        const [path = '/', fragment = ''] = view.path.split('#');
        await page.goto(`${listener.url}${path}#token=${TOKEN}`);
        await view.ready(page);
        if (fragment !== '') await page.locator(`#${fragment}`).scrollIntoViewIfNeeded();
        await page.getByText('Live', { exact: true }).waitFor();
        await page.screenshot({ path: join(folder, `${view.name}-${size}-${colorScheme}.png`) });
        await page.context().close();
      }
    }
    process.stdout.write(`${view.name}\n`);
  }
} finally {
  await browser.close();
  await listener.close();
}
