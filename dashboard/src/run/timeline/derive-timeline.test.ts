import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../../../src/contract/runs.ts';
import { deriveTimeline, filterTimeline } from './derive-timeline.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 6, 1, 9, 0, seconds)).toISOString();
const entry = (
  seq: number,
  kind: string,
  message: string,
  detail: Record<string, unknown> = {},
): TimelineEntry => ({ seq, at: at(seq), kind, message, detail });

const RUN = [
  entry(1, 'phase', 'PreparingWorkspace', { phase: 'PreparingWorkspace' }),
  entry(2, 'hook', 'before_run failed: exit code 2', {
    hook: 'before_run',
    command: 'npm ci',
    exit_code: 2,
    duration_ms: 1500,
    output: 'no lockfile',
    failed: true,
  }),
  entry(3, 'turn_started', 'turn 1 started', { turn: 1 }),
  entry(4, 'activity', 'ls -la', { activity: 'command', call_id: 'c1' }),
  entry(5, 'activity', 'Looking around', { activity: 'message' }),
  entry(6, 'activity', 'ls -la (exit 0, 0.1 s)', {
    activity: 'command',
    call_id: 'c1',
    output: 'README.md',
    exit_code: 0,
    duration_ms: 100,
  }),
  entry(7, 'usage', '900 tokens so far', { total_tokens: 900 }),
  entry(10, 'tool_call', 'issue_move succeeded: {}', {
    tool: 'issue_move',
    success: true,
    input: '{"state":"Done"}',
    output: '{}',
  }),
  entry(13, 'turn_completed', 'turn 1 completed', {
    turn: 1,
    usage: { input_tokens: 700, output_tokens: 200, total_tokens: 900 },
    cost_usd: 0.0042,
  }),
];

describe('deriveTimeline', () => {
  const items = deriveTimeline(RUN);

  it('joins a call with its end and a turn with what it took, and tells of what is missing', () => {
    expect(items.map(({ label, text, facts }) => [label, text, ...facts])).toEqual([
      ['phase', 'PreparingWorkspace'],
      ['hook', 'before_run failed: exit code 2', 'exit 2', '1.5 s'],
      ['turn', 'Turn 1', '10.0 s', '900 tokens', '$0.0042'],
      ['command', 'ls -la', 'exit 0', '0.1 s'],
      ['agent', 'Looking around'],
      ['gap', '2 events were not kept'],
      ['tool', 'issue_move'],
      ['gap', '2 events were not kept'],
    ]);
  });

  it('keeps what commands and tools were given and said', () => {
    expect(items.find(({ label }) => label === 'command')).toMatchObject({
      key: 4,
      output: 'README.md',
      tone: 'good',
    });
    expect(items.find(({ label }) => label === 'hook')).toMatchObject({ input: 'npm ci', tone: 'bad' });
    expect(items.find(({ label }) => label === 'tool')).toMatchObject({
      input: '{"state":"Done"}',
      output: '{}',
    });
  });

  it('begins with whatever number is first: what was let go before is said elsewhere', () => {
    expect(deriveTimeline(RUN.slice(4, 5)).map(({ text }) => text)).toEqual(['Looking around']);
  });

  it('shows kinds it does not know as they are', () => {
    expect(deriveTimeline([entry(1, 'brand_new', 'something', {})])).toMatchObject([
      { label: 'brand', text: 'something', topic: 'worker' },
    ]);
  });
});

describe('filterTimeline', () => {
  const items = deriveTimeline(RUN);
  it.each([
    ['', 'readme', ['ls -la']],
    ['', 'NO LOCK', ['before_run failed: exit code 2']],
    ['commands', '', ['before_run failed: exit code 2', 'ls -la']],
    ['tools', 'nothing of it', []],
    ['problems', '', ['before_run failed: exit code 2', '2 events were not kept', '2 events were not kept']],
  ])('finds %j %j', (topic, search, found) => {
    expect(filterTimeline(items, topic, search).map(({ text }) => text)).toEqual(found);
  });
});
