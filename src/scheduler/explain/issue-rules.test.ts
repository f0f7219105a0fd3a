import { describe, expect, it } from 'vitest';
import { makeIssue, makeSettings } from '../../../test/fakes/scheduler-fixture.ts';
import type { Issue } from '../../domain/issue.ts';
import { freshRecord } from '../core/initial-state.ts';
import type { SchedulerSettings } from '../core/settings.ts';
import type { IssueRecord } from '../core/state.ts';
import { whyIneligible } from '../rules/eligibility.ts';
import { budgetUse, explainRules } from './issue-rules.ts';

const NOW = Date.UTC(2026, 10, 14, 9);

function broken(
  fields: Partial<Issue>,
  settings: Partial<SchedulerSettings> = {},
  record: Partial<IssueRecord> | null = null,
): readonly string[] {
  const issue = { ...makeIssue('a'), ...fields };
  const remembered = record === null ? null : { ...freshRecord(issue), ...record };
  return explainRules(issue, remembered, makeSettings(settings), NOW)
    .filter(({ ok }) => !ok)
    .map(({ name, text }) => `${name}: ${text}`);
}

const BLOCKED = {
  phase: 'blocked',
  issue: makeIssue('a'),
  method: 'no_progress',
  error: 'three runs did nothing',
  question: null,
  blockedAt: NOW,
  runId: null,
} as const;
const STOP = { state: 'Done', stoppedAt: NOW, latched: true, suppressed: 0, firstSuppressed: null };
const LIMITS = { turns: null, tokens: 100, usd: null, runtimeMs: null };

describe('explainRules', () => {
  it('holds for an issue that may run', () => {
    expect(broken({})).toEqual([]);
    expect(broken({}, {}, {})).toEqual([]);
  });

  it('names every rule that does not hold, not the first only', () => {
    const found = broken(
      { state: 'Backlog', dispatchable: false, undispatchableReason: 'blocked by ENG-3 (Todo)' },
      {
        requiredLabels: ['ready'],
        trust: { authors: ['ada'], associations: [], labels: ['vetted'] },
        budgets: { ...makeSettings({}).budgets, issue: LIMITS },
        noProgressRuns: 3,
      },
      {
        claim: BLOCKED,
        operatorStop: STOP,
        noProgressRuns: 3,
        usage: { inputTokens: 60, outputTokens: 40, totalTokens: 100 },
      },
    );
    expect(found.map((text) => text.split(':')[0])).toEqual([
      'state',
      'author',
      'tracker',
      'required_labels',
      'stop',
      'hold',
      'budget',
      'progress',
    ]);
    expect(found).toContain('tracker: blocked by ENG-3 (Todo)');
    expect(found).toContain('required_labels: missing label ready');
    expect(found).toContain('hold: held (no_progress): three runs did nothing');
    expect(found.join('\n')).toContain('100 of 100 tokens used');
  });

  it('agrees with dispatch about the issue itself', () => {
    const settings = makeSettings({ requiredLabels: ['ready'] });
    for (const fields of [{}, { labels: ['ready'] }, { state: 'Done' }, { dispatchable: false }]) {
      const issue = { ...makeIssue('a'), ...fields };
      const ok = explainRules(issue, null, settings, NOW).every((rule) => rule.ok);
      expect(ok).toBe(whyIneligible(issue, settings) === null);
    }
  });

  it('counts from nothing for an issue that begins anew', () => {
    const record = {
      leftActive: true,
      noProgressRuns: 9,
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 999 },
    };
    expect(broken({}, { budgets: { ...makeSettings({}).budgets, issue: LIMITS } }, record)).toEqual([]);
  });
});

describe('budgetUse', () => {
  it('has what was used against each limit', () => {
    const record = { ...freshRecord(makeIssue('a')), turns: 4, costUsd: 0.5 };
    const settings = makeSettings({
      budgets: { ...makeSettings({}).budgets, issue: { ...LIMITS, turns: 20 } },
    });
    expect(budgetUse(record, settings, NOW)).toEqual([
      { unit: 'turns', used: 4, limit: 20 },
      { unit: 'tokens', used: 0, limit: 100 },
      { unit: 'usd', used: 0.5, limit: null },
      { unit: 'runtimeMs', used: 0, limit: null },
    ]);
    expect(budgetUse({ ...record, leftActive: true }, settings, NOW)[0]).toMatchObject({ used: 0 });
  });
});
