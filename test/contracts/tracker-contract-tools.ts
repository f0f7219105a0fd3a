import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../src/domain/tool.ts';
import type { RunTools } from '../../src/tools/run-tools.ts';
import { callTool, currentIssue, never, type OpenFixture } from './tracker-fixture.ts';

const INVALID: readonly (readonly [string, unknown])[] = [
  ['issue_get', { issue_id: 'B' }],
  ['issue_get', 'B'],
  ['issue_get', null],
  ['issue_move', {}],
  ['issue_move', { state: '' }],
  ['issue_move', { state: 7 }],
  ['issue_move', ['Done']],
  ['issue_move', { state: 'Done', issue: 'B' }],
  ['issue_move', { state: 'Done', identifier: 'B' }],
  ['issue_comment', {}],
  ['issue_comment', { body: ' \n ' }],
  ['issue_comment', { body: 'x', issue_id: 'B' }],
  ['issue_comment', { body: 'x'.repeat(64 * 1024 + 1) }],
];

/** What agents read of the shared tools; `pr_link` is offered where a tracker has links. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  issue_get:
    'Read the issue you are working on: its text, state, labels, blockers, comments, and the states it can move to.',
  issue_move: 'Move the issue you are working on to another state, for example to hand it over for review.',
  issue_comment: 'Add a comment to the issue you are working on.',
  pr_link: 'Link a pull request to the issue you are working on, so that people find it.',
};

export function trackerToolsContract(open: OpenFixture): void {
  describe('tools', () => {
    it('are described by object schemas that accept nothing else and name no issue', async () => {
      const { tools } = (await open([])).tracker;
      const names = tools.specs.map((spec) => spec.name);
      expect(names).toEqual(expect.arrayContaining(['issue_get', 'issue_move', 'issue_comment']));
      expect(new Set(names).size).toBe(names.length);
      for (const name of ['issue_get', 'issue_move', 'issue_comment']) {
        const spec = tools.specs.find((candidate) => candidate.name === name);
        expect(spec?.description).toMatch(/\w/);
        expect(spec?.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        const properties = Object.keys(spec?.inputSchema['properties'] ?? {});
        expect(properties.filter((property) => /issue|^id$|identifier|key/i.test(property))).toEqual([]);
      }
      expect(JSON.parse(JSON.stringify(tools.specs))).toEqual(tools.specs);
    });

    it('are the same tools whatever the tracker: texts, arguments and their limits', async () => {
      const { tools } = (await open([])).tracker;
      const shared = tools.specs.filter(({ name }) => Object.hasOwn(DESCRIPTIONS, name));
      expect(Object.fromEntries(shared.map((spec) => [spec.name, spec.description]))).toEqual(
        Object.fromEntries(shared.map(({ name }) => [name, DESCRIPTIONS[name]])),
      );
      expect(schemaOf(tools, 'issue_get')).toMatchObject({ properties: {} });
      expect(schemaOf(tools, 'issue_move')).toMatchObject({
        properties: { state: { type: 'string', minLength: 1, maxLength: 200 } },
        required: ['state'],
      });
      expect(schemaOf(tools, 'issue_comment')).toMatchObject({
        properties: { body: { type: 'string' } },
        required: ['body'],
      });
    });

    it('read, move and comment on the own issue only (R-10.5-d, R-11.5-a)', async () => {
      const fixture = await open([
        { key: 'A', state: 'In Progress', title: 'Mine', description: 'My text' },
        { key: 'B', state: 'In Progress' },
      ]);
      expect(output(await callTool(fixture, 'A', 'issue_comment', { body: 'First\n\n- a' }))).toBeDefined();
      expect(output(await callTool(fixture, 'A', 'issue_move', { state: 'human review' }))).toMatchObject({
        state: 'Human Review',
        previous_state: 'In Progress',
      });
      expect(output(await callTool(fixture, 'A', 'issue_get', {}))).toMatchObject({
        title: 'Mine',
        description: 'My text',
        state: 'Human Review',
        comments: [{ body: 'First\n\n- a' }],
      });
      expect((await currentIssue(fixture, 'A')).state).toBe('Human Review');
      expect(await fixture.comments('A')).toEqual(['First\n\n- a']);
      expect((await currentIssue(fixture, 'B')).state).toBe('In Progress');
      expect(await fixture.comments('B')).toEqual([]);
    });

    it('answer an unknown tool with the names there are (R-10.5-q)', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const failure = failureOf(await callTool(fixture, 'A', 'issue_delete', {}));
      expect(failure.code).toBe('unsupported_tool');
      for (const spec of fixture.tracker.tools.specs) expect(failure.message).toContain(spec.name);
    });

    it('refuse invalid arguments and change nothing (R-10.5-t, R-15.5-b)', async () => {
      const fixture = await open([
        { key: 'A', state: 'Todo' },
        { key: 'B', state: 'Todo' },
      ]);
      for (const [name, input] of INVALID) {
        const failure = failureOf(await callTool(fixture, 'A', name, input));
        expect(failure.code, `${name} ${JSON.stringify(input)?.slice(0, 60)}`).toBe('invalid_arguments');
      }
      for (const key of ['A', 'B']) {
        expect((await currentIssue(fixture, key)).state).toBe('Todo');
        expect(await fixture.comments(key)).toEqual([]);
      }
    });

    it('refuse a state that nobody knows, and name the known ones', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const failure = failureOf(await callTool(fixture, 'A', 'issue_move', { state: 'Finished' }));
      expect(failure.code).toBe('unknown_state');
      expect(failure.message).toMatch(/^There is no state "Finished"\. States: .*Human Review.*\.$/);
      expect((await currentIssue(fixture, 'A')).state).toBe('Todo');
    });

    it('never undo what a person did to stop the work', async () => {
      const fixture = await open([
        { key: 'A', state: 'In Progress' },
        { key: 'B', state: 'In Progress' },
      ]);
      const before = { A: await currentIssue(fixture, 'A'), B: await currentIssue(fixture, 'B') };
      await fixture.move('A', 'Cancelled');
      await fixture.move('B', 'Backlog');
      const move = (key: 'A' | 'B', state: string): Promise<ToolResult> =>
        fixture.tracker.tools.execute(
          { name: 'issue_move', arguments: { state } },
          { issue: before[key], signal: never },
        );
      for (const state of ['In Progress', 'Human Review', 'Done']) {
        expect(failureOf(await move('A', state))).toEqual({
          code: 'issue_closed',
          message: 'The issue is already Cancelled, which is final. Stop working on it.',
        });
      }
      expect(failureOf(await move('B', 'Todo'))).toEqual({
        code: 'issue_on_hold',
        message: 'The issue was moved to Backlog; only a person can take it back to work.',
      });
      expect((await currentIssue(fixture, 'A')).state).toBe('Cancelled');
      expect((await currentIssue(fixture, 'B')).state).toBe('Backlog');
    });

    it('leave terminal states to people when allow_terminal is false', async () => {
      const fixture = await open([{ key: 'A', state: 'In Progress' }], { allowTerminal: false });
      for (const state of ['Done', 'cancelled']) {
        const failure = failureOf(await callTool(fixture, 'A', 'issue_move', { state }));
        expect(failure.code).toBe('terminal_not_allowed');
        expect(failure.message).toMatch(/^Only a person may move an issue to (Done|Cancelled)\. Hand over: /);
        expect(failure.message).toContain('Backlog, Human Review.');
      }
      expect((await currentIssue(fixture, 'A')).state).toBe('In Progress');
      const handedOver = await callTool(fixture, 'A', 'issue_move', { state: 'Human Review' });
      expect(output(handedOver)).toMatchObject({ state: 'Human Review', previous_state: 'In Progress' });
    });

    it('let an agent finish its issue otherwise, and report what changed once', async () => {
      const fixture = await open([{ key: 'A', state: 'In Progress' }]);
      const issue = await currentIssue(fixture, 'A');
      const finish = (): Promise<ToolResult> =>
        fixture.tracker.tools.execute(
          { name: 'issue_move', arguments: { state: 'done' } },
          { issue, signal: never },
        );
      const effect = { kind: 'state_changed', from: 'In Progress', to: 'Done' };
      expect(await finish()).toMatchObject({ success: true, effect });
      const again = await finish();
      expect(output(again)).toMatchObject({ state: 'Done', previous_state: 'Done' });
      expect(again).not.toHaveProperty('effect');
      expect((await currentIssue(fixture, 'A')).state).toBe('Done');
    });

    it('fail as results when the run is stopped, the issue is gone or the provider is down', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const issue = await currentIssue(fixture, 'A');
      const call = { name: 'issue_comment', arguments: { body: 'late' } };
      const stopped = await fixture.tracker.tools.execute(call, { issue, signal: AbortSignal.abort() });
      expect(failureOf(stopped).code).toBe('aborted');
      expect(await fixture.comments('A')).toEqual([]);
      await fixture.remove('A');
      expect(failureOf(await fixture.tracker.tools.execute(call, { issue, signal: never })).message).toMatch(
        /\w/,
      );
      await fixture.breakDown();
      expect(failureOf(await fixture.tracker.tools.execute(call, { issue, signal: never })).message).toMatch(
        /\w/,
      );
    });
  });
}

function schemaOf({ specs }: RunTools, name: string): unknown {
  return specs.find((spec) => spec.name === name)?.inputSchema;
}

function output(result: ToolResult): unknown {
  if (!result.success) throw new Error(`${result.error.code}: ${result.error.message}`);
  expect(JSON.parse(JSON.stringify(result.output))).toEqual(result.output);
  return result.output;
}

function failureOf(result: ToolResult): { readonly code: string; readonly message: string } {
  if (result.success) throw new Error(`the call succeeded: ${JSON.stringify(result.output)}`);
  return result.error;
}
