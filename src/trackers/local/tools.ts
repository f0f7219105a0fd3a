import type { Clock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import { includesState, sameState } from '../../domain/state-name.ts';
import type { TrustRules } from '../../domain/trust.ts';
import { noticeFor, shownComments, shownText } from '../../tools/outside-texts.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { createToolSet, defineTool, type Tool, ToolRefusal } from '../../tools/tool-kit.ts';
import { IssueCommentInput, IssueGetInput, IssueMoveInput } from '../issue-tools/inputs.ts';
import { type IssueFolder, invalidFile, notFound } from './client.ts';
import { withComment, withState } from './file/document.ts';
import type { IssueEntry } from './normalize.ts';
import { allStates, knownState, type LocalStates } from './states.ts';

export interface LocalToolsOptions {
  readonly folder: IssueFolder;
  readonly states: LocalStates;
  readonly allowTerminal: boolean;
  readonly author: string;
  readonly trust: TrustRules | null;
  readonly clock: Clock;
}

/** The agent's tools. None takes an issue: each acts on the issue of the run it was called from. */
export function createLocalTools(options: LocalToolsOptions): RunTools {
  return createToolSet({
    tools: [getTool(options), moveTool(options), commentTool(options)],
    secretEnvironmentNames: [],
    redact: (text) => text,
  });
}

function getTool({ folder, states, author, trust }: LocalToolsOptions): Tool {
  return defineTool(
    'issue_get',
    'Read the issue you are working on: its text, state, labels, blockers, comments, and the states it can move to.',
    IssueGetInput,
    async (_input, { issue }) => {
      const entry = await readOwnIssue(folder, issue);
      const { fields, description, comments } = entry.content;
      const output = {
        identifier: entry.id,
        ...fields,
        title: shownText(fields.title, trust),
        description: shownText(description, trust),
        ...shownComments(
          comments.map((comment) => ({
            ...comment,
            writer: { names: [comment.author], association: null },
            isOwn: comment.author === author,
          })),
          trust,
        ),
        comments_total: comments.length,
        available_states: allStates(states, await statesInUse(folder)),
        ...noticeFor(trust),
      };
      return { output };
    },
  );
}

function moveTool(options: LocalToolsOptions): Tool {
  const { folder, states, clock } = options;
  return defineTool(
    'issue_move',
    'Move the issue you are working on to another state, for example to hand it over for review.',
    IssueMoveInput,
    async (input, { issue, signal }) => {
      const target = await findTarget(options, input.state);
      let previous = issue.state;
      await folder.update(
        issue.id,
        (text, content) => {
          previous = content.fields.state;
          if (sameState(previous, target)) return text;
          assertAgentMayMove(previous, target, states);
          return withState(text, target, new Date(clock.now()).toISOString());
        },
        signal,
      );
      const output = { identifier: issue.identifier, state: target, previous_state: previous };
      if (sameState(previous, target)) return { output };
      return { output, effect: { kind: 'state_changed', from: previous, to: target } };
    },
  );
}

function commentTool({ folder, author, clock }: LocalToolsOptions): Tool {
  return defineTool(
    'issue_comment',
    'Add a comment to the issue you are working on.',
    IssueCommentInput,
    async (input, { issue, signal }) => {
      const at = new Date(clock.now()).toISOString();
      const body = input.body.trimEnd();
      await folder.update(issue.id, (text) => withComment(text, { author, at, body }), signal);
      return { output: { identifier: issue.identifier, author, at }, effect: { kind: 'commented' } };
    },
  );
}

async function findTarget(
  { folder, states, allowTerminal }: LocalToolsOptions,
  wanted: string,
): Promise<string> {
  const inUse = await statesInUse(folder);
  const target = knownState(states, inUse, wanted);
  if (target === null) {
    const known = allStates(states, inUse).join(', ');
    throw new ToolRefusal('unknown_state', `There is no state ${JSON.stringify(wanted)}. States: ${known}.`);
  }
  if (!allowTerminal && includesState(states.terminal, target)) {
    const handOff = states.inactive.join(', ');
    throw new ToolRefusal(
      'terminal_not_allowed',
      `Only a person may move an issue to ${target}. Hand over: ${handOff}.`,
    );
  }
  return target;
}

/** What took the issue out of work (usually a person) is never undone by an agent. */
function assertAgentMayMove(current: string, target: string, states: LocalStates): void {
  if (includesState(states.terminal, current)) {
    throw new ToolRefusal(
      'issue_closed',
      `The issue is already ${current}, which is final. Stop working on it.`,
    );
  }
  if (!includesState(states.active, current) && includesState(states.active, target)) {
    throw new ToolRefusal(
      'issue_on_hold',
      `The issue was moved to ${current}; only a person can take it back to work.`,
    );
  }
}

async function readOwnIssue(folder: IssueFolder, issue: Issue): Promise<IssueEntry> {
  const entry = (await folder.list()).load(issue.id);
  if (entry === null) throw notFound(issue.id, folder.path);
  if (entry.kind === 'broken') throw invalidFile(`${issue.id}.md`, entry.problem);
  return entry;
}

async function statesInUse(folder: IssueFolder): Promise<readonly string[]> {
  const entries = await (await folder.list()).loadAll();
  return entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.content.fields.state] : []));
}
