import type { IssueChangeBody, NewIssueBody, TrackerIssue } from '../../../contract/tracker-issues.ts';
import { sameState } from '../../../domain/state-name.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { IssueEditor } from '../../issue-editor.ts';
import { invalidFile } from '../client.ts';
import { parseIssueText, withFields } from '../file/document.ts';
import type { IssueContent } from '../schema.ts';
import { allStates, knownState } from '../states.ts';
import { newIssueFields, plainLine } from './new-issue.ts';
import {
  findId,
  inUse,
  type LocalEditorOptions,
  presentIssue,
  readBoard,
  versionOfText,
} from './read-board.ts';

/** Issue files as people write them through the worker, beside editors, agents and commands that write them too. */
export function createLocalEditor(options: LocalEditorOptions): IssueEditor {
  return {
    board: (signal) => readBoard(options, signal),
    async read(name) {
      const listing = await options.folder.list();
      return presentIssue(options, findId(options, listing, name), listing);
    },
    create: (draft) => create(options, draft),
    change: (name, { version, ...fields }) =>
      write(options, name, fields, (text) =>
        versionOfText(text) === version
          ? null
          : 'Nothing was changed: somebody else wrote to this issue since.',
      ),
    move: (name, { from, to }) =>
      write(options, name, { state: to }, (_text, { fields: { state } }) =>
        sameState(state, from) || sameState(state, to)
          ? null
          : `Nothing was changed: somebody else moved this issue to ${state}.`,
      ),
  };
}

async function create(options: LocalEditorOptions, draft: NewIssueBody): Promise<TrackerIssue> {
  const { folder, states, prefix } = options;
  const state = await stateOf(options, draft.state ?? states.active[0] ?? 'Todo');
  const title = lineOf(draft.title, 'title');
  const description = (draft.description ?? '').replaceAll('\r\n', '\n').trimEnd();
  const id = await folder.create(
    prefix,
    newIssueFields({ ...draft, title, state }, now(options)),
    description,
  );
  return presentIssue(options, id, await folder.list());
}

type Fields = Omit<IssueChangeBody, 'version'>;

/** Writes unless `refuses` finds, in the newest text, that somebody else did first. */
async function write(
  options: LocalEditorOptions,
  name: string,
  fields: Fields,
  refuses: (text: string, content: IssueContent) => string | null,
): Promise<TrackerIssue> {
  const { folder } = options;
  const id = findId(options, await folder.list(), name);
  const wanted = {
    ...fields,
    title: fields.title === undefined ? undefined : lineOf(fields.title, 'title'),
    state: fields.state === undefined ? undefined : await stateOf(options, fields.state),
  };
  let conflict: string | null = null;
  await folder.update(id, (text, content) => {
    conflict = refuses(text, content);
    if (conflict !== null) return text;
    const next = withFields(text, content, wanted, now(options));
    const parsed = parseIssueText(next);
    if (!parsed.ok) throw invalidFile(`${id} with this change`, parsed.problem);
    return next;
  });
  const current = presentIssue(options, id, await folder.list());
  if (conflict === null) return current;
  throw new AppError('issue_conflict', conflict, {
    hint: 'Look at what it is now, then decide again.',
    context: { current },
  });
}

/** The known spelling of a state. */
async function stateOf({ folder, states }: LocalEditorOptions, wanted: string): Promise<string> {
  const name = lineOf(wanted, 'state');
  const used = inUse(await (await folder.list()).loadAll());
  const known = knownState(states, used, name);
  if (known !== null) return known;
  throw new AppError('invalid_request', `There is no state ${JSON.stringify(name)}.`, {
    hint: `Use one of: ${allStates(states, used).join(', ')}.`,
  });
}

function lineOf(text: string, what: string): string {
  const line = plainLine(text);
  if (line !== '') return line;
  throw new AppError('invalid_request', `The ${what} is empty.`, { hint: `Give a ${what}.` });
}

function now({ clock }: LocalEditorOptions): string {
  return new Date(clock.now()).toISOString();
}
