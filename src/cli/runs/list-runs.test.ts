import { describe, expect, it } from 'vitest';
import { sampleRecord, sampleRun, T0 } from '../../../test/integration/store/record-fixtures.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { listRuns } from './list-runs.ts';

const HOUR = 3_600_000;
const ended = (runId: string, more: Partial<EndedRun> = {}): EndedRun => sampleRun({ runId, ...more });

const RUNS: readonly EndedRun[] = [
  ended('new', { endedAt: T0 + 3 * HOUR, outcome: { kind: 'failed', summary: '' }, runner: 'claude' }),
  ended('mid', { endedAt: T0 + 2 * HOUR, model: 'Large-1' }),
  ended('old', { endedAt: T0 + HOUR, identifier: 'ENG-2', issueId: 'id-2', profile: 'careful' }),
];
const journal = {
  recentRuns: (limit: number) => RUNS.slice(0, limit),
  runsOfIssue: (name: string, limit = 100) =>
    RUNS.filter(({ identifier }) => identifier.toLowerCase() === name.toLowerCase()).slice(0, limit),
  loadRecords: () => [
    sampleRecord({
      identifier: 'ENG-9',
      underWay: {
        runId: 'live-1',
        title: 'Now',
        url: null,
        attempt: null,
        startedAt: T0 + 4 * HOUR,
        pausedMs: 0,
        stateBefore: 'Todo',
        usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
        costUsd: null,
        sessionId: null,
        model: null,
        runner: 'mock',
        profile: null,
        workspacePath: null,
        seenAt: T0 + 4 * HOUR,
        turns: 1,
        handOver: null,
      },
    }),
  ],
};

function ids(filters: Omit<Parameters<typeof listRuns>[1], 'limit'>, limit = 20) {
  const found = listRuns(journal, { ...filters, limit });
  return [...found.live, ...found.ended].map(({ runId }) => runId);
}

describe('listRuns', () => {
  it('has live runs first, then the newest', () => {
    expect(ids({})).toEqual(['live-1', 'new', 'mid', 'old']);
  });

  it.each([
    [{ outcome: ['live'] }, ['live-1']],
    [{ outcome: ['failed'] }, ['new']],
    [{ outcome: ['failed', 'live'] }, ['live-1', 'new']],
    [{ issue: 'eng-2' }, ['old']],
    [{ issue: 'ENG-9' }, ['live-1']],
    [{ agent: 'CLAUDE' }, ['new']],
    [{ agent: 'large-1' }, ['mid']],
    [{ agent: 'careful' }, ['old']],
    [{ since: T0 + 2 * HOUR }, ['live-1', 'new', 'mid']],
    [{ since: T0 + 5 * HOUR }, []],
    [{ outcome: ['delivered'], agent: 'mock', since: T0 + 2 * HOUR }, ['mid']],
  ])('%j lists %j', (filters, wanted) => {
    expect(ids(filters)).toEqual(wanted);
  });

  it('says when the limit leaves some out', () => {
    expect(ids({}, 2)).toEqual(['live-1', 'new']);
    expect(listRuns(journal, { limit: 2 }).more).toBe(true);
    expect(listRuns(journal, { limit: 4 }).more).toBe(false);
  });
});
