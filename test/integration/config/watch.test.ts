import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { watchWorkflow } from '../../../src/config/read/watch.ts';
import { wallMs } from '../../fakes/measured-time.ts';
import { loadWorkflow } from '../../fakes/workflow-file.ts';
import { tempFolders } from './temp-folder.ts';

const folder = tempFolders();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const GOOD = '---\ntracker: {kind: local}\npolling: {interval_ms: 1000}\n---\nHi';
const OTHER = GOOD.replace('1000', '2000');
const BAD = GOOD.replace('local', 'nope');

/** Starts a watch on a fresh file; `next` waits for the next thing it says. */
async function start(changes: { onReload?: () => void } = {}) {
  const path = join(await folder(), 'WORKFLOW.md');
  await writeFile(path, GOOD);
  const load = () => loadWorkflow({ path, environment: {} });
  const loaded = await load();
  const said: string[] = [];
  const waiting: ((word: string) => void)[] = [];
  const say = (word: string) => {
    const waiter = waiting.shift();
    if (waiter === undefined) said.push(word);
    else waiter(word);
  };
  const stop = watchWorkflow({
    path,
    since: loaded.fingerprint,
    load,
    onReload: ({ config }) => {
      changes.onReload?.();
      say(`reload ${config.polling.intervalMs}`);
    },
    onFailure: (problems) => say(`failure ${problems[0]?.code}`),
    onRecovered: () => say('recovered'),
  });
  stops.push(stop);
  const next = (): Promise<string> => {
    const word = said.shift();
    if (word !== undefined) return Promise.resolve(word);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('nothing happened in time')), 60_000);
      waiting.push((text) => {
        clearTimeout(late);
        resolve(text);
      });
    });
  };
  return { path, next, stop, said };
}

describe('watchWorkflow', () => {
  it('sees a change within a second (R-6.2-0, R-6.2-a, R-6.2-b)', async () => {
    const { path, next } = await start();
    const { took, stalled } = await wallMs(async () => {
      await writeFile(path, OTHER);
      expect(await next()).toBe('reload 2000');
    });
    expect(took).toBeLessThan(1000 + stalled);
  });

  it('sees a rename-save that keeps size and time (R-6.2-g)', async () => {
    const { path, next } = await start();
    const time = new Date(1_700_000_000_000);
    await utimes(path, time, time);
    await writeFile(`${path}.tmp`, OTHER);
    await utimes(`${path}.tmp`, time, time);
    await rename(`${path}.tmp`, path);
    expect(await next()).toBe('reload 2000');
  });

  it('sees a change made between loading and watching', async () => {
    const path = join(await folder(), 'WORKFLOW.md');
    await writeFile(path, GOOD);
    const load = () => loadWorkflow({ path, environment: {} });
    const { fingerprint } = await load();
    await writeFile(path, OTHER);
    const interval = await new Promise<number>((resolve) => {
      const stop = watchWorkflow({
        path,
        since: fingerprint,
        load,
        onReload: ({ config }) => resolve(config.polling.intervalMs),
        onFailure: () => resolve(-1),
      });
      stops.push(stop);
    });
    expect(interval).toBe(2000);
  });

  it('reports each bad content once and recovers when the file is put back (R-6.2-h, R-17.1-d)', async () => {
    const { path, next, said } = await start();
    await writeFile(path, BAD);
    expect(await next()).toBe('failure unsupported_tracker_kind');
    await writeFile(path, '---\n- a\n---\n');
    expect(await next()).toBe('failure workflow_front_matter_not_a_map');
    await writeFile(path, GOOD);
    expect(await next()).toBe('recovered');
    expect(said).toEqual([]);
  });

  it('reports a vanished file once and takes up the new one', async () => {
    const { path, next, said } = await start();
    await rm(path);
    expect(await next()).toBe('failure missing_workflow_file');
    await writeFile(path, OTHER);
    expect(await next()).toBe('reload 2000');
    expect(await next()).toBe('recovered');
    expect(said).toEqual([]);
  });

  it('goes on when the new settings cannot be applied', async () => {
    let refuse = true;
    const { path, next } = await start({
      onReload: () => {
        if (refuse) throw new Error('port taken');
      },
    });
    await writeFile(path, OTHER);
    expect(await next()).toBe('failure internal_error');
    refuse = false;
    await writeFile(path, GOOD.replace('1000', '3000'));
    expect(await next()).toBe('reload 3000');
    expect(await next()).toBe('recovered');
  });

  it('says nothing after it was stopped', async () => {
    const { path, stop, said } = await start();
    await stop();
    await writeFile(path, OTHER);
    const second = await start();
    await writeFile(second.path, OTHER);
    expect(await second.next()).toBe('reload 2000');
    expect(said).toEqual([]);
  });
});
