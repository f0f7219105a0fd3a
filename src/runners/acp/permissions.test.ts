import { describe, expect, test } from 'vitest';
import { decidePermission } from './permissions.ts';

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
];
const FACTS = { mode: 'ask', approved: new Set<string>(), tools: ['issue_move', 'linear_graphql'] } as const;

const ask = (toolCall: object, facts: Partial<Parameters<typeof decidePermission>[1]> = {}) =>
  decidePermission({ toolCall: { toolCallId: 'x', ...toolCall }, options: OPTIONS }, { ...FACTS, ...facts });

const codeOf = (toolCall: object): string =>
  /approve ([0-9a-f]{8})/.exec(ask(toolCall).question ?? '')?.[1] ?? '';

describe("the worker's own tools are granted once", () => {
  test.each([
    'issue_move (aiops MCP Server)',
    'mcp__aiops__issue_move',
    'aiops_issue_move',
    'Tool: aiops/issue_move',
    'aiops.linear_graphql',
  ])('%s', (title) => {
    expect(ask({ title, kind: 'other' })).toMatchObject({
      reply: { outcome: { outcome: 'selected', optionId: 'once' } },
      question: null,
    });
    expect(ask({ title: 'anything', name: title }).question).toBeNull();
  });
});

describe('what only looks like one of them is a question', () => {
  test.each([
    [{ title: 'issue_move', kind: 'other' }],
    [{ title: 'aiops', kind: 'other' }],
    [{ title: 'issue_move (aiops2 MCP Server)', kind: 'other' }],
    [{ title: 'aiops issue_move rm', kind: 'other' }],
    [{ title: 'aiops/issue_move; rm -rf .', kind: 'other' }],
    [{ title: 'issue_move (aiops MCP Server)', kind: 'execute' }],
    [{ title: 'mcp__aiops__issue_move', kind: 'edit' }],
    [{ title: 'mcp__aiops__issue_move', name: 'shell' }],
    [{ title: `aiops issue_move${' '.repeat(300)}` }],
    [{}],
  ])('%j', (toolCall) => {
    expect(ask(toolCall)).toMatchObject({ reply: { outcome: { outcome: 'cancelled' } }, granted: null });
    expect(ask(toolCall).question).toContain('approve ');
  });
});

test('a code is of one title, one input and one change of files', () => {
  const diff = (newText: string) => ({ type: 'diff', path: '/a', oldText: '', newText });
  const codes = [
    { title: 'Edit a' },
    { title: 'Edit b' },
    { title: 'Edit a', rawInput: { b: 1 } },
    { title: 'Edit a', content: [diff('x')] },
    { title: 'Edit a', content: [diff('y')] },
  ].map(codeOf);
  expect(new Set(codes).size).toBe(5);
  expect(
    codeOf({ title: 'Edit a', content: [{ type: 'content', content: { type: 'text', text: 'why' } }] }),
  ).toBe(codes[0]);
  expect(ask({ title: 'Edit b' }, { approved: new Set([codes[1] ?? '']) }).question).toBeNull();
  expect(ask({ title: 'Edit b' }, { approved: new Set([codes[0] ?? '']) }).question).not.toBeNull();
});

test('without an offer to allow it once there is nothing to grant, even with acp.permissions: allow', () => {
  for (const params of [null, 7, {}, { toolCall: {}, options: [] }, { toolCall: {}, options: [OPTIONS[0]] }])
    expect(decidePermission(params, { ...FACTS, mode: 'allow' })).toMatchObject({ granted: null });
});
