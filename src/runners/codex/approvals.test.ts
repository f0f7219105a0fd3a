import { describe, expect, test } from 'vitest';
import { approvedCodes } from '../tools/approval-code.ts';
import { decideRequest } from './approvals.ts';

const facts = (policy: unknown, answer: string | null = null) => ({
  policy,
  approved: approvedCodes(answer),
  changedFiles: (id: string) => (id === 'patch' ? ['a.ts', 'b.ts'] : []),
});
const COMMAND = 'item/commandExecution/requestApproval';
const push = { command: 'git push', cwd: '/ws', reason: 'needs the network' };

function codeOf(question: string | null | undefined): string {
  return /approve ([0-9a-f]{8})/.exec(question ?? '')?.[1] ?? '';
}

describe('R-10.5-c a policy that asks nobody grants', () => {
  test.each([
    [COMMAND, push, { decision: 'acceptForSession' }],
    ['item/fileChange/requestApproval', { itemId: 'patch' }, { decision: 'acceptForSession' }],
    [
      'item/permissions/requestApproval',
      { permissions: { network: { enabled: true } } },
      { permissions: { network: { enabled: true } }, scope: 'session' },
    ],
    ['mcpServer/elicitation/request', { serverName: 'x' }, { action: 'accept', content: {}, _meta: null }],
    ['execCommandApproval', { command: ['ls'] }, { decision: 'approved_for_session' }],
    ['applyPatchApproval', {}, { decision: 'approved_for_session' }],
  ])('%s', (method, params, reply) => {
    expect(decideRequest(method, params, facts('never'))).toEqual({ reply, question: null });
  });
});

describe('R-10.5-b every other policy turns it into a question', () => {
  test.each([
    [COMMAND, push, { decision: 'cancel' }, /run: git push \(needs the network\)/],
    [
      'item/fileChange/requestApproval',
      { itemId: 'patch', grantRoot: '/srv' },
      { decision: 'cancel' },
      /a\.ts, b\.ts.*\/srv/,
    ],
    [
      'item/permissions/requestApproval',
      { permissions: {} },
      { permissions: {}, scope: 'turn' },
      /permissions/,
    ],
    [
      'mcpServer/elicitation/request',
      { serverName: 'db', message: 'Sure?' },
      { action: 'cancel' },
      /db asks: Sure\?/,
    ],
    ['execCommandApproval', { command: ['ls'] }, { decision: 'abort' }, /ls/],
  ])('%s', (method, params, reply, question) => {
    const verdict = decideRequest(method, params, facts('on-request'));
    expect(verdict).toMatchObject({ reply, question: expect.stringMatching(question) });
    expect(codeOf(verdict?.question)).toMatch(/^[0-9a-f]{8}$/);
  });

  test('a question of the agent is asked under any policy', () => {
    const params = {
      questions: [{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }],
    };
    expect(decideRequest('item/tool/requestUserInput', params, facts('never'))).toEqual({
      reply: { answers: {} },
      question: 'Which? (A / B)',
    });
  });
});

describe('an approval in the answer', () => {
  const asked = decideRequest(COMMAND, push, facts('untrusted'));
  const code = codeOf(asked?.question);

  test('allows exactly what was asked, once each time', () => {
    const verdict = decideRequest(COMMAND, push, facts('untrusted', `ok, Approve \`${code}\`.`));
    expect(verdict).toEqual({ reply: { decision: 'accept' }, question: null });
  });

  test('allows nothing else', () => {
    for (const other of [
      { ...push, command: 'git push --force' },
      { ...push, cwd: '/' },
    ]) {
      expect(decideRequest(COMMAND, other, facts('untrusted', `approve ${code}`))?.question).not.toBeNull();
    }
    for (const answer of ['approve', 'yes', code, `approve ${code}0`, 'approve 00000000']) {
      expect(decideRequest(COMMAND, push, facts('untrusted', answer))?.question).not.toBeNull();
    }
  });
});

test.each([null, 7, 'x', [], { command: 7 }, { permissions: 'all' }])(
  'hostile params %j are never granted',
  (params) => {
    for (const method of [COMMAND, 'item/permissions/requestApproval', 'mcpServer/elicitation/request']) {
      expect(decideRequest(method, params, facts({ granular: {} }))?.question).toEqual(expect.any(String));
    }
  },
);

test.each(['item/tool/call', 'invented', 'constructor', 'toString'])('%s asks for no decision', (method) => {
  expect(decideRequest(method, {}, facts('never'))).toBeNull();
});
