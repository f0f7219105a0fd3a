import { describe, expect, it } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { READS, type Read, WIRE_FAULTS } from './corpus.ts';
import { type FaultyWorker, startFaultyWorker } from './faulty-worker.ts';
import { type FaultySubject, SUBJECTS } from './subjects.ts';

/** One of each kind; every fault has met every adapter already. */
const CHOSEN = [
  '429 with Retry-After',
  '403 of a secondary limit',
  '400 RATELIMITED',
  '401',
  '403 for lack of rights',
  '500',
  '502 as a web page',
  '302 to a log-in',
  'a reset',
  'a connection cut in the middle',
  '200 as a web page',
  'truncated JSON',
  'huge JSON',
  'a number',
  'an object with a message',
];
const FAULTS = WIRE_FAULTS.filter(({ name }) => CHOSEN.includes(name));
const TOGETHER: readonly (readonly Read[])[] = [['listing'], ['refresh'], ['blockers'], READS];
const HELD = 'blocker0';
const FIELDS = ['title', 'state', 'labels', 'id', 'number'];

describe.each(SUBJECTS)('a worker on $name', (subject: FaultySubject) => {
  /** Two runs are live, one issue waits for others, one workspace is kept. */
  async function start(): Promise<FaultyWorker> {
    const worker = await startFaultyWorker(subject, HELD);
    expect(worker.started.toSorted()).toEqual(expectedRuns(worker));
    return worker;
  }

  function expectedRuns({ on }: FaultyWorker): readonly string[] {
    return [on.idOf('running'), on.idOf('free')].toSorted();
  }

  function expectUntouched(worker: FaultyWorker, what: string): void {
    expect(worker.stopped, what).toEqual([]);
    expect(worker.removed, what).toEqual([]);
    expect(worker.started.toSorted(), what).toEqual(expectedRuns(worker));
  }

  it('stops nothing, starts nothing and removes nothing, whatever fault meets whatever read', async () => {
    const worker = await start();
    let failed = 0;
    for (const { name, fault } of FAULTS) {
      for (const reads of TOGETHER) {
        for (const read of reads) worker.on.spoil(read, fault);
        if (!(await worker.poll())) failed += 1;
        worker.on.heal();
        expectUntouched(worker, `${name} in ${reads.join(', ')}`);
      }
    }
    expect(FAULTS).toHaveLength(CHOSEN.length);
    expect(failed).toBeGreaterThanOrEqual(FAULTS.length * 2);
    expect(await worker.poll()).toBe(true);
    expectUntouched(worker, 'after all');
  });

  it('survives 50 polls in which faults, broken records and parts of answers mix', async () => {
    const worker = await start();
    const random = new Random(8);
    const { on } = worker;
    for (let round = 0; round < 50; round += 1) {
      const field = random.pick(FIELDS);
      if (random.chance(0.4)) on.spoil(random.pick(READS), random.pick(FAULTS).fault);
      if (random.chance(0.4))
        on.corruptIn('refresh', random.pick(['running', 'free', HELD]), { [field]: null });
      if (random.chance(0.4)) on.corruptIn('listing', random.pick(['blocked', 'free']), { [field]: null });
      if (random.chance(0.3)) on.omit(random.pick(['running', 'free']));
      await worker.poll();
      on.heal();
      expectUntouched(worker, `round ${round}`);
    }
    expect(on.spoiled()).toBeGreaterThan(50);
  });

  it('acts on what the tracker says for certain once it answers again', async () => {
    const worker = await start();
    const { on } = worker;
    for (const read of READS) on.spoil(read, { kind: 'reset' });
    await on.move('running', 'Human Review');
    await on.move(HELD, 'Done');
    await on.remove('free');
    for (let index = 1; index < 6; index += 1) await on.move(`blocker${index}`, 'Done');
    expect(await worker.poll()).toBe(false);
    expectUntouched(worker, 'while it is down');
    on.heal();
    expect(await worker.poll()).toBe(true);
    expect(worker.stopped).toEqual(
      expect.arrayContaining([{ kind: 'inactive', state: 'Human Review' }, { kind: 'missing' }]),
    );
    expect(worker.stopped).toHaveLength(2);
    expect(worker.removed).toHaveLength(1);
    expect(worker.started.slice(2)).toEqual([on.idOf('blocked')]);
  });
});
