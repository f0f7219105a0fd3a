import { describe, expect, it, onTestFinished } from 'vitest';
import type { Issue, RefreshOutcome } from '../../../src/domain/issue.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { never } from '../../contracts/tracker-fixture.ts';
import { type FaultCase, READS, type Read, WIRE_FAULTS } from './corpus.ts';
import { type FaultyFixture, type FaultySubject, type OpenOptions, SUBJECTS } from './subjects.ts';

const ACTIVE = ['Todo', 'In Progress'];
const counted = new Map<string, number>();
type Answer = AppError | readonly Issue[] | ReadonlyMap<string, RefreshOutcome>;

function ask(on: FaultyFixture, read: Read): Promise<Answer> {
  const call = (): Promise<Answer> => {
    if (read === 'refresh') return on.tracker.fetchIssuesByIds([on.idOf('running'), on.idOf('free')], never);
    if (read === 'terminal') return on.tracker.fetchIssuesByIds([on.idOf('finished')], never);
    return on.tracker.fetchIssuesByStates(ACTIVE, never);
  };
  return call().catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
}

/** Either the call fails in its category, or what it gives starts nothing, stops nothing and cleans nothing up. */
function judge(on: FaultyFixture, answer: Answer, { code }: FaultCase): void {
  if (answer instanceof AppError) {
    expect(answer.code).toBe(code);
    expect(answer.message).not.toMatch(/dummy0/);
    if (code === 'tracker_rate_limited') expect(answer.context['retryAfterMs']).toBeGreaterThanOrEqual(1_000);
  } else if (answer instanceof Map) {
    for (const outcome of answer.values()) expect(outcome.kind).toBe('unknown');
  } else {
    const waiting = [...(answer as readonly Issue[])].filter(({ id }) => id === on.idOf('blocked'));
    expect(waiting.map(({ dispatchable }) => dispatchable)).toEqual([false]);
    expect(waiting[0]?.undispatchableReason).toMatch(/could not be read/);
  }
}

describe.each(SUBJECTS)('$name', (subject: FaultySubject) => {
  async function open(options?: OpenOptions): Promise<FaultyFixture> {
    const fixture = await subject.open(options);
    onTestFinished(() => fixture.dispose());
    return fixture;
  }

  async function meet(entry: FaultCase, read: Read): Promise<void> {
    const on = await open({ hangs: entry.fault.kind === 'hang' });
    on.spoil(read, entry.fault);
    judge(on, await ask(on, read), entry);
    expect(on.spoiled()).toBeGreaterThan(0);
    counted.set(subject.name, (counted.get(subject.name) ?? 0) + 1);
  }

  it.each(WIRE_FAULTS)('$name, in every read (R-11.4-a, R-17.3-l)', async (entry) => {
    await Promise.all(READS.map((read) => meet(entry, read)));
  });

  it('is read well when nothing goes wrong', async () => {
    const on = await open();
    const listed = (await ask(on, 'listing')) as readonly Issue[];
    const byId = new Map(listed.map((issue) => [issue.id, issue]));
    expect(byId.get(on.idOf('free'))?.dispatchable).toBe(true);
    expect(byId.get(on.idOf('blocked'))?.undispatchableReason).toMatch(/^blocked by /);
    const current = (await ask(on, 'refresh')) as ReadonlyMap<string, RefreshOutcome>;
    expect([...current.values()].map(({ kind }) => kind)).toEqual(['current', 'current']);
    const finished = (await ask(on, 'terminal')) as ReadonlyMap<string, RefreshOutcome>;
    expect([...finished.values()]).toMatchObject([{ kind: 'current', issue: { state: 'Done' } }]);
  });

  it('gives no part of a listing whose second page goes wrong', async () => {
    const on = await open({ more: 120 });
    const faults = WIRE_FAULTS.filter(
      ({ code, fault }) => code !== 'tracker_rate_limited' && fault.kind !== 'hang',
    );
    for (const entry of faults) {
      on.heal();
      on.spoilSecondPage(entry.fault);
      const listing = on.tracker.fetchIssuesByStates(['Backlog'], never);
      await expect(listing, entry.name).rejects.toMatchObject({ code: entry.code });
    }
    on.heal();
    expect(await on.tracker.fetchIssuesByStates(['Backlog'], never)).toHaveLength(126);
  });

  it('takes a deleted issue for gone, and only that one', async () => {
    const on = await open();
    const gone = on.idOf('free');
    const running = on.idOf('running');
    await on.remove('free');
    const outcomes = await on.tracker.fetchIssuesByIds([running, gone], never);
    expect([outcomes.get(running)?.kind, outcomes.get(gone)?.kind]).toEqual(['current', 'absent']);
  });
});

it('each tracker met each fault in each read', () => {
  const wanted = WIRE_FAULTS.length * READS.length;
  expect(wanted).toBeGreaterThanOrEqual(130);
  expect(Object.fromEntries(counted)).toEqual({ linear: wanted, github: wanted, gitea: wanted });
});
