import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backgroundClock } from '../../../src/domain/clock.ts';
import type { RunEvent } from '../../../src/domain/run-event.ts';
import type { TranscriptInfo } from '../../../src/store/journal.ts';
import { readTranscript } from '../../../src/store/transcripts/read-transcript.ts';
import { Transcripts } from '../../../src/store/transcripts/transcripts.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { journalFixture } from './fixture.ts';
import { T0 } from './record-fixtures.ts';

const fixture = journalFixture();
const written = new Map<string, TranscriptInfo>();

function start(clock = backgroundClock): Transcripts {
  const folder = join(fixture.folder, 'runs');
  return new Transcripts({
    folder,
    clock,
    logger: fixture.logger,
    onWritten: (runId, info) => void written.set(runId, info),
  });
}

function say(transcripts: Transcripts, runId: string, text: string): void {
  transcripts.append(runId, T0, { type: 'agent', event: { type: 'activity', kind: 'message', text } });
}

async function textsOf(runId: string): Promise<string[]> {
  const { entries } = await readTranscript(join(fixture.folder, 'runs'), runId, { limit: 1_000_000 });
  return entries.map(({ event }) =>
    event.type === 'agent' && event.event.type === 'activity' ? event.event.text : '',
  );
}

describe('the timeline of a run', () => {
  it('of great length keeps its beginning and its end, and says how much is missing', async () => {
    const transcripts = start();
    const filler = 'x'.repeat(6000);
    const total = 6000;
    for (let index = 1; index <= total; index += 1) {
      say(transcripts, 'long', `${index} ${filler}`);
      if (index % 100 === 0) await transcripts.flush();
    }
    await transcripts.close();

    const folder = join(fixture.folder, 'runs');
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024);
    const { entries, unreadable } = await readTranscript(folder, 'long', { limit: total });
    const seqs = entries.map((entry) => entry.seq);
    expect(unreadable).toBe(0);
    expect(seqs.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    expect(seqs.slice(-500)).toEqual(Array.from({ length: 500 }, (_, index) => total - 499 + index));
    expect(written.get('long')).toEqual({
      firstAt: T0,
      lastAt: T0,
      events: total,
      dropped: total - entries.length,
      bytes,
    });
  });

  it('goes on where an earlier life broke off, even in the middle of a line', async () => {
    const first = start();
    say(first, 'r1', 'one');
    say(first, 'r1', 'two');
    await first.close();
    appendFileSync(join(fixture.folder, 'runs', 'r1.jsonl'), '{"seq":3,"at":17000');

    const second = start();
    say(second, 'r1', 'three');
    await second.close();
    const page = await readTranscript(join(fixture.folder, 'runs'), 'r1');
    expect(page.entries.map((entry) => entry.seq)).toEqual([1, 2, 4]);
    expect(page.unreadable).toBe(1);
    expect(await textsOf('r1')).toEqual(['one', 'two', 'three']);
  });

  it('keeps prompts, hooks and what commands were given and said', async () => {
    const events: RunEvent[] = [
      { type: 'prompt', turn: 1, text: 'x'.repeat(20_000) },
      {
        type: 'hook',
        hook: 'before_run',
        command: 'npm ci',
        exitCode: 1,
        durationMs: 5,
        output: 'no',
        problem: 'exit code 1',
      },
      {
        type: 'agent',
        event: {
          type: 'activity',
          kind: 'command',
          text: 'ls',
          call: { callId: 'c', output: 'a', exitCode: 0 },
        },
      },
      { type: 'agent', event: { type: 'turn_completed', turn: 1, costUsd: 0.5 } },
    ];
    const transcripts = start();
    for (const event of events) transcripts.append('told', T0, event);
    await transcripts.close();
    const { entries } = await readTranscript(join(fixture.folder, 'runs'), 'told', { limit: 10 });
    expect(entries.map(({ event }) => event)).toMatchObject(events);
  });

  it('cuts long texts and survives what it cannot write down', async () => {
    const transcripts = start();
    say(transcripts, 'r1', 'y'.repeat(50_000));
    const huge = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`limit-${index}`, 'z'.repeat(50)]),
    );
    transcripts.append('r1', T0, { type: 'agent', event: { type: 'rate_limits', rateLimits: huge } });
    await transcripts.close();
    const [text] = await textsOf('r1');
    expect(text).toMatch(/^y{8000}… \[42000 more characters\]$/);
    const { entries } = await readTranscript(join(fixture.folder, 'runs'), 'r1');
    expect(entries[1]?.event).toMatchObject({ type: 'agent', event: { type: 'malformed' } });
    expect(statSync(join(fixture.folder, 'runs', 'r1.jsonl')).size).toBeLessThan(20_000);
  });

  it('of a run with a hostile id stays in its folder', async () => {
    const transcripts = start();
    for (const id of ['../../evil', 'a/b', '.', '', 'nul\0', 'x'.repeat(300), 'ünï'])
      say(transcripts, id, id);
    await transcripts.close();
    expect(fixture.log).toEqual([]);
    expect(readdirSync(fixture.folder)).toEqual(['runs']);
    expect(readdirSync(join(fixture.folder, 'runs'))).toHaveLength(7);
    expect(await textsOf('../../evil')).toEqual(['../../evil']);
  });

  it('that the disk refuses waits in bounded memory, and harms no other', async () => {
    const clock = new VirtualClock();
    mkdirSync(join(fixture.folder, 'runs', 'bad.jsonl'), { recursive: true });
    const transcripts = start(clock);
    say(transcripts, 'bad', 'kept');
    say(transcripts, 'good', 'fine');
    await transcripts.flush();
    expect(transcripts.trouble).not.toBeNull();
    expect(await textsOf('good')).toEqual(['fine']);
    const filler = 'x'.repeat(6000);
    for (let index = 0; index < 500; index += 1) say(transcripts, 'bad', `${index} ${filler}`);
    await transcripts.flush();
    expect(fixture.log.filter((line) => line.level === 'error')).toHaveLength(1);

    rmSync(join(fixture.folder, 'runs', 'bad.jsonl'), { recursive: true });
    clock.lag(5000);
    await transcripts.flush();
    expect(transcripts.trouble).toBeNull();
    expect((await textsOf('bad'))[0]).toBe('kept');
    const info = written.get('bad');
    expect(info?.events).toBe(501);
    expect(info?.dropped).toBeGreaterThan(300);
    expect((await textsOf('bad')).length + (info?.dropped ?? 0)).toBe(501);

    say(transcripts, 'bad', 'last');
    await transcripts.flush();
    const { entries } = await readTranscript(join(fixture.folder, 'runs'), 'bad');
    expect(entries.at(-1)?.seq).toBe(502);
    await transcripts.close();
  });

  it('is written within a quarter of a second, in few writes', async () => {
    const clock = new VirtualClock();
    const transcripts = start(clock);
    for (let index = 0; index < 100; index += 1) say(transcripts, 'r1', `${index}`);
    expect(clock.pending).toBe(1);
    clock.step(clock.now() + 250);
    await transcripts.flush();
    expect(readFileSync(join(fixture.folder, 'runs', 'r1.jsonl'), 'utf8').split('\n')).toHaveLength(101);
    expect(clock.pending).toBe(0);
    await transcripts.close();
  });
});
