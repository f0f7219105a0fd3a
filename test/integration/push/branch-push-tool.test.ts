import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PushRequest, PushResult } from '../../../src/domain/push.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { branchPushTool } from '../../../src/tools/branch-push.ts';
import { combineTools } from '../../../src/tools/combine-tools.ts';
import type { RunTools } from '../../../src/tools/run-tools.ts';
import { createToolSet, defineTool } from '../../../src/tools/tool-kit.ts';
import { makeIssue } from '../../fakes/scheduler-fixture.ts';

const SECRET = 'dummy-secret-0123456789';
const issue = makeIssue('7');
const context = { issue, branch: 'ai/7', signal: new AbortController().signal };

function toolsWith(result: PushResult): { readonly tools: RunTools; readonly asked: PushRequest[] } {
  const asked: PushRequest[] = [];
  const tool = branchPushTool(async (_issue, request) => {
    asked.push(request);
    return result;
  });
  const redact = (text: string): string => text.replaceAll(SECRET, '***');
  return { tools: createToolSet({ tools: [tool], secretEnvironmentNames: ['KEY'], redact }), asked };
}

const push = (tools: RunTools, input: unknown): Promise<ToolResult> =>
  tools.execute({ name: 'branch_push', arguments: input }, context);

describe('branch_push', () => {
  const done: PushResult = {
    ok: true,
    branch: 'ai/7',
    commit: 'c'.repeat(40),
    changed: true,
    remoteLines: ['Create a pull request:', `https://forge.test/?t=${SECRET}`],
  };

  it('pushes the head of the branch and hands on what the remote said', async () => {
    const { tools, asked } = toolsWith(done);
    expect(await push(tools, {})).toEqual({
      success: true,
      output: {
        branch: 'ai/7',
        commit: 'c'.repeat(40),
        changed: true,
        remote: ['Create a pull request:', 'https://forge.test/?t=***'],
      },
      effect: { kind: 'pushed', branch: 'ai/7', commit: 'c'.repeat(40) },
    });
    await push(tools, { force: true });
    expect(asked).toEqual([
      { commit: null, force: false },
      { commit: null, force: true },
    ]);
  });

  it("hands on a refusal with the remote's own lines, the last ones, and without the credential", async () => {
    const remoteLines = [...Array.from({ length: 500 }, (_, index) => `line ${index}`), `denied ${SECRET}`];
    const { tools } = toolsWith({
      ok: false,
      code: 'rejected',
      message: 'The remote rejected it.',
      remoteLines,
    });
    const result = await push(tools, {});
    expect(result).toMatchObject({
      success: false,
      error: {
        code: 'rejected',
        message: expect.stringMatching(/^The remote rejected it\.\nThe remote said:\n[\s\S]*denied \*\*\*$/),
      },
    });
    expect(JSON.stringify(result)).not.toContain('line 1\\n');
    expect(JSON.stringify(result).length).toBeLessThan(5_000);
  });

  it.each([
    ['another branch', { branch: 'main' }],
    ['a refspec', { refspec: 'HEAD:main' }],
    ['a commit', { commit: 'main' }],
    ['a word for a flag', { force: 'yes' }],
    ['a list', []],
  ])('refuses %s', async (_what, input) => {
    const { tools, asked } = toolsWith(done);
    expect(await push(tools, input)).toMatchObject({ error: { code: 'invalid_arguments' } });
    expect(asked).toEqual([]);
  });
});

describe('tools of a run', () => {
  const answering = (name: string, answer: string): RunTools =>
    createToolSet({
      tools: [defineTool(name, answer, z.strictObject({}), async () => ({ output: answer }))],
      secretEnvironmentNames: [answer, 'SHARED'],
      redact: (text) => text,
    });

  it('are one set: each name once, from the set that comes first', async () => {
    const tools = combineTools([answering('a', 'first'), answering('a', 'second'), answering('b', 'third')]);
    expect(tools.specs.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'first'],
      ['b', 'third'],
    ]);
    expect(tools.secretEnvironmentNames).toEqual(['first', 'SHARED', 'second', 'third']);
    expect(await tools.execute({ name: 'a', arguments: {} }, context)).toMatchObject({ output: 'first' });
    expect(await tools.execute({ name: 'b', arguments: {} }, context)).toMatchObject({ output: 'third' });
    expect(await tools.execute({ name: 'c', arguments: {} }, context)).toMatchObject({
      error: { code: 'unsupported_tool', message: expect.stringContaining('a, b') },
    });
  });
});
