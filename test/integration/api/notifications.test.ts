import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationsConfig } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { createChannels } from '../../../src/notify/channels.ts';
import type { Notice } from '../../../src/notify/notice.ts';
import { Notifier } from '../../../src/notify/notifier.ts';
import { watchHistory } from '../../../src/notify/watch-history.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedWorker } from '../../simulation/simulated-worker.ts';

const NOTICE: Notice = {
  kind: 'needs_you',
  key: 'k1',
  at: '2026-07-01T09:30:00.000Z',
  issueId: 'a',
  identifier: 'ENG-1',
  title: 'Fix <b> & co',
  url: 'https://tracker.example/ENG-1',
  runId: 'r1',
  message: 'the agent asked a question',
};
const ON = ['needs_you', 'delivered'] as const;
const NOTHING: NotificationsConfig = { webhookUrl: null, slackUrl: null, command: null, on: ON };

let root: string;
let server: Server;
let address: string;
let answers: number[];
let bodies: unknown[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'aiops-notify-'));
  answers = [];
  bodies = [];
  server = createServer((request, response) => {
    void textOf(request).then((text) => {
      bodies.push(JSON.parse(text));
      response.writeHead(answers.shift() ?? 200, { location: 'http://192.0.2.1/' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Retries come at once; what was waited for is noted. */
function notifierWith(config: Partial<NotificationsConfig>) {
  const waits: number[] = [];
  const warnings: string[] = [];
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    paused: () => 0,
    setTimer: (ms: number, callback: () => void) => {
      waits.push(ms);
      const handle = setImmediate(callback);
      return () => clearImmediate(handle);
    },
  };
  const logger = {
    ...silentLogger,
    warn: (_text: string, fields?: object) => void warnings.push(JSON.stringify(fields)),
  };
  const notifier = new Notifier({ clock, logger });
  const environment = { PATH: process.env['PATH'] ?? '' };
  notifier.use(createChannels({ config: { ...NOTHING, ...config }, environment, cwd: root }), ON);
  return { notifier, waits, warnings };
}

describe('notices', () => {
  it('go to a webhook as JSON, once', async () => {
    const { notifier } = notifierWith({ webhookUrl: new Secret(address) });
    notifier.notify(NOTICE);
    notifier.notify({ ...NOTICE });
    notifier.notify({ ...NOTICE, key: 'k2' });
    await expect.poll(() => bodies.length).toBe(2);
    await notifier.stop();
    expect(bodies[0]).toEqual({
      kind: 'needs_you',
      at: NOTICE.at,
      issue_id: 'a',
      issue_identifier: 'ENG-1',
      title: 'Fix <b> & co',
      url: NOTICE.url,
      run_id: 'r1',
      message: 'the agent asked a question',
    });
    expect(bodies).toHaveLength(2);
  });

  it('go to Slack as text that cannot mean anything else', async () => {
    const { notifier } = notifierWith({ slackUrl: new Secret(address) });
    notifier.notify(NOTICE);
    await expect
      .poll(() => bodies)
      .toEqual([
        {
          text: 'ENG-1 Fix &lt;b&gt; &amp; co: needs you. the agent asked a question https://tracker.example/ENG-1',
        },
      ]);
    await notifier.stop();
  });

  it('run a command, with the facts as variables and on standard input', async () => {
    const { notifier } = notifierWith({
      command: 'cat > body.json; printf %s "$AIOPS_NOTICE_TITLE" > title',
    });
    notifier.notify({ ...NOTICE, title: '$(touch hacked) "x"' });
    await expect
      .poll(() => readFile(join(root, 'title'), 'utf8').catch(() => ''))
      .toBe('$(touch hacked) "x"');
    await notifier.stop();
    expect(JSON.parse(await readFile(join(root, 'body.json'), 'utf8'))).toMatchObject({
      issue_identifier: 'ENG-1',
    });
    await expect(readFile(join(root, 'hacked'))).rejects.toThrow();
  });

  it('are tried again while the other side fails, and given up in the end', async () => {
    answers = [500, 429, 503, 200];
    const { notifier, waits } = notifierWith({ webhookUrl: new Secret(address) });
    notifier.notify(NOTICE);
    await expect.poll(() => bodies.length).toBe(4);
    expect(waits).toEqual([5_000, 30_000, 120_000]);
    answers = [500, 500, 500, 500, 500];
    notifier.notify({ ...NOTICE, key: 'k2' });
    await expect.poll(() => bodies.length).toBe(9);
    await notifier.stop();
    expect(bodies).toHaveLength(9);
  });

  it.each([302, 400, 404])('are not sent again after status %i, which no patience mends', async (status) => {
    answers = [status];
    const { notifier, waits, warnings } = notifierWith({ webhookUrl: new Secret(`${address}/dummy-secret`) });
    notifier.notify(NOTICE);
    await expect.poll(() => warnings.length).toBe(1);
    await notifier.stop();
    expect([bodies.length, waits]).toEqual([1, []]);
    expect(warnings.join()).not.toContain('dummy-secret');
  });

  it('come from the worker itself: one for a question, one for a delivery', async () => {
    const simulated = new SimulatedWorker(new Random(5), { maxConcurrentAgents: 2 });
    for (const [id, nature] of [
      ['asks', 'asks'],
      ['good', 'finishes'],
    ] as const) {
      simulated.tracker.add(id, {});
      simulated.agents.plans.set(id, { nature, work: 1, turnsDone: 0, asked: false });
    }
    const notices: Notice[] = [];
    watchHistory(simulated.orchestrator, (notice) => notices.push(notice));
    await simulated.start();
    await simulated.pass(3_600_000);
    const kinds = notices.map(({ kind, issueId }) => `${kind} ${issueId}`);
    expect(kinds).toContain('needs_you asks');
    expect(kinds.filter((kind) => kind === 'delivered good')).toHaveLength(1);
    expect(new Set(notices.map(({ key }) => key)).size).toBe(notices.length);
    expect(notices.find(({ kind }) => kind === 'needs_you')?.title).not.toBe('');
  });
});
