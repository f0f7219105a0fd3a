import type { Clock } from '../../domain/clock.ts';
import { sameState } from '../../domain/state-name.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { createToolSet } from '../../tools/tool-kit.ts';
import { issueTools } from '../issue-tools/issue-tools.ts';
import type { OwnIssue } from '../issue-tools/own-issue.ts';
import { type IssueFolder, invalidFile, notFound } from './client.ts';
import { withComment, withState } from './file/document.ts';
import { allStates, type LocalStates } from './states.ts';

export interface LocalToolsOptions {
  readonly folder: IssueFolder;
  readonly states: LocalStates;
  readonly allowTerminal: boolean;
  readonly author: string;
  readonly trust: TrustRules | null;
  readonly clock: Clock;
}

export function createLocalTools(options: LocalToolsOptions): RunTools {
  const { states, allowTerminal, trust } = options;
  return createToolSet({
    tools: issueTools({ own: ownIssueFile(options), rule: { ...states, allowTerminal }, trust }),
    secretEnvironmentNames: [],
    redact: (text) => text,
  });
}

/** The file of the run's own issue. */
function ownIssueFile({ folder, states, author, clock }: LocalToolsOptions): OwnIssue {
  const now = (): string => new Date(clock.now()).toISOString();
  return {
    async read(issue) {
      const entry = (await folder.list()).load(issue.id);
      if (entry === null) throw notFound(issue.id, folder.path);
      if (entry.kind === 'broken') throw invalidFile(`${issue.id}.md`, entry.problem);
      const { fields, description, comments } = entry.content;
      const { title, state, ...details } = fields;
      return {
        title,
        description,
        state,
        details: { ...details, comments_total: comments.length },
        comments: comments.map((comment) => ({
          ...comment,
          writer: { names: [comment.author], association: null },
          isOwn: comment.author === author,
        })),
        availableStates: allStates(states, await statesInUse(folder)),
      };
    },
    async move(issue, choose, signal) {
      const known = allStates(states, await statesInUse(folder));
      let from = issue.state;
      let to = issue.state;
      await folder.update(
        issue.id,
        (text, content) => {
          from = content.fields.state;
          to = choose({ state: from }, known);
          return sameState(from, to) ? text : withState(text, to, now());
        },
        signal,
      );
      return { from, to };
    },
    async comment(issue, body, signal) {
      const at = now();
      await folder.update(issue.id, (text) => withComment(text, { author, at, body }), signal);
      return { author, at };
    },
    link: null,
  };
}

async function statesInUse(folder: IssueFolder): Promise<readonly string[]> {
  const entries = await (await folder.list()).loadAll();
  return entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.content.fields.state] : []));
}
