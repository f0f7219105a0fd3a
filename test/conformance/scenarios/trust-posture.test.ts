import { describe, expect, it } from 'vitest';
import { decidePermission } from '../../../src/runners/acp/permissions.ts';
import { decideRequest } from '../../../src/runners/codex/approvals.ts';
import { readRepositoryFile } from '../../architecture/repository.ts';
import { partUnder } from '../pages.ts';
import { configOf } from './workflow.ts';

const posture = partUnder(readRepositoryFile('SECURITY.md'), 'trust-posture') ?? '';

const REQUESTS = {
  'commands and file changes': ['item/commandExecution/requestApproval', 'item/fileChange/requestApproval'],
  permissions: ['item/permissions/requestApproval'],
  'questions of MCP servers': ['mcpServer/elicitation/request'],
  nothing: ['item/tool/requestUserInput'],
} as const;

/** Kinds of requests that Codex gets a yes to under a policy, without a person. */
function grantedBy(policy: unknown): readonly string[] {
  const facts = { policy, approved: new Set<string>(), changedFiles: () => [] };
  return Object.entries(REQUESTS)
    .filter(([, methods]) => methods.every((method) => decideRequest(method, {}, facts)?.question === null))
    .map(([kind]) => kind);
}

const FLAGS = ['sandbox_approval', 'rules', 'skill_approval', 'request_permissions', 'mcp_elicitations'];
const POLICIES: readonly (readonly [string, unknown])[] = [
  ...['never', 'on-failure', 'on-request', 'untrusted'].map(
    (name) => [`codex.approval_policy: ${name}`, name] as const,
  ),
  ...FLAGS.map((flag) => [`granular.${flag}: true`, { granular: { [flag]: true } }] as const),
];

/** The rows of the page: setting to what it grants. */
function saidBy(agent: string): ReadonlyMap<string, string> {
  const rows = posture.matchAll(new RegExp(`^\\| ${agent} \\| \`([^\`]+)\` \\| ([^|]+) \\|$`, 'gm'));
  return new Map([...rows].map(([, setting = '', grants = '']) => [setting, grants]));
}

describe('SECURITY.md', () => {
  it('names approvals, sandbox and confirmation (R-1-a)', () => {
    for (const word of ['**Approvals:**', '**Sandbox:**', 'operator confirmation'])
      expect(posture).toContain(word);
  });

  it.each(POLICIES)('says of %s what the code grants under it (R-1-a)', (setting, policy) => {
    const kinds = grantedBy(policy);
    const said = saidBy('Codex').get(setting) ?? '';
    const everything = Object.keys(REQUESTS).filter((kind) => kind !== 'nothing');
    expect(said === 'every request' ? everything : said === '' ? [] : [said]).toEqual(kinds);
  });

  it('says of ACP agents what the code grants (R-1-a)', () => {
    const params = {
      sessionId: 's',
      toolCall: { toolCallId: 't', title: 'rm -rf', kind: 'execute' },
      options: [{ optionId: 'once', name: 'Once', kind: 'allow_once' }],
    };
    const granted = (['ask', 'allow'] as const).filter(
      (mode) => decidePermission(params, { mode, approved: new Set(), tools: [] }).question === null,
    );
    expect([...saidBy('ACP').keys()]).toEqual(granted.map((mode) => `acp.permissions: ${mode}`));
  });

  it('is right that the defaults grant nothing (R-1-a)', () => {
    const { codex, acp } = configOf().agents;
    expect(grantedBy(codex?.['approvalPolicy'])).toEqual([]);
    expect(acp?.['permissions']).toBe('ask');
  });
});
