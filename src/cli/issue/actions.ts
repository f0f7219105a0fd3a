import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sameState } from '../../domain/state-name.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { newIssueFields, plainLine } from '../../trackers/local/editing/new-issue.ts';
import { withComment, withState } from '../../trackers/local/file/document.ts';
import { type IssueComment, isIssuePrefix, MAX_COMMENT_BYTES } from '../../trackers/local/schema.ts';
import { jsonText } from '../json-text.ts';
import type { Look } from '../terminal/look.ts';
import { formatIssue, toJson } from './format.ts';
import type { LocalIssues } from './local-issues.ts';

export interface TextSources {
  readonly cwd: string;
  stdin(): Promise<string>;
}

export interface NewFlags {
  readonly body?: string;
  readonly bodyFile?: string;
  readonly state?: string;
  readonly newState?: boolean;
  readonly priority?: number;
  readonly label?: readonly string[];
  readonly blockedBy?: readonly string[];
  readonly assignee?: string;
  readonly author?: string;
  readonly prefix?: string;
}

export interface IssueFile {
  readonly identifier: string;
  readonly path: string;
}

/** Writes a new issue. */
export async function createIssue(
  local: LocalIssues,
  words: readonly string[],
  flags: NewFlags,
  sources: TextSources,
): Promise<IssueFile> {
  const fromInput = words.length > 1 && words.at(-1) === '-';
  const title = plainLine(words.slice(0, fromInput ? -1 : words.length).join(' '));
  if (title === '') throw usage('The title is empty.', 'Give a title: aiops issue new "Fix the login page".');
  const given = [flags.body !== undefined, flags.bodyFile !== undefined, fromInput].filter(Boolean);
  if (given.length > 1)
    throw usage('The description is given twice.', 'Use one of --body, --body-file and "-".');
  const prefix = flags.prefix ?? local.settings.issuePrefix;
  if (!isIssuePrefix(prefix)) {
    throw usage(
      `The prefix ${JSON.stringify(prefix)} cannot start an identifier.`,
      'Use letters, digits, "_" or "-".',
    );
  }
  const description = await readDescription(flags, fromInput, sources);
  const at = new Date().toISOString();
  const issue = {
    title,
    state: local.state(flags.state ?? local.settings.states.active[0] ?? 'Todo', flags.newState === true),
    priority: flags.priority,
    labels: splitList(flags.label),
    blockedBy: splitList(flags.blockedBy).map((identifier) => local.find(identifier).id),
    assignee: flags.assignee,
    author: flags.author,
  };
  const id = await local.folder.create(prefix, newIssueFields(issue, at), description);
  return { identifier: id, path: local.folder.pathOf(id) };
}

export function showIssue(local: LocalIssues, identifier: string, asJson: boolean, look: Look): string {
  const entry = local.find(identifier);
  const issue = local.normalise(entry);
  const path = local.folder.pathOf(entry.id);
  const { comments } = entry.content;
  if (!asJson) return formatIssue(issue, comments, path, look);
  return jsonText({ ...toJson(issue, path), description: issue.description, comments });
}

export interface Moved {
  readonly identifier: string;
  readonly from: string;
  readonly to: string;
  readonly changed: boolean;
}

export async function moveIssue(
  local: LocalIssues,
  identifier: string,
  wanted: string,
  allowNew: boolean,
): Promise<Moved> {
  const { id } = local.find(identifier);
  const state = local.state(wanted, allowNew);
  let before = state;
  await local.folder.update(id, (text, content) => {
    before = content.fields.state;
    return sameState(before, state) ? text : withState(text, state, new Date().toISOString());
  });
  const changed = !sameState(before, state);
  return { identifier: id, from: before, to: changed ? state : before, changed };
}

export function formatMoved({ identifier, from, to, changed }: Moved): string {
  return changed ? `${identifier}: ${from} -> ${to}\n` : `${identifier} is already ${from}\n`;
}

export async function commentIssue(
  local: LocalIssues,
  identifier: string,
  words: readonly string[],
  author: string,
  sources: TextSources,
): Promise<{ readonly identifier: string; readonly comment: IssueComment }> {
  const { id } = local.find(identifier);
  const fromInput = words.length === 0 || (words.length === 1 && words[0] === '-');
  const body = (fromInput ? await sources.stdin() : words.join(' ')).trimEnd();
  if (body.trim() === '')
    throw usage('The comment is empty.', `Write it after the identifier: aiops issue comment ${id} "…".`);
  assertText(body);
  if (Buffer.byteLength(body) > MAX_COMMENT_BYTES)
    throw usage('The comment is larger than 64 KiB.', 'Shorten it.');
  const comment = { author, at: new Date().toISOString(), body };
  await local.folder.update(id, (text) => withComment(text, comment));
  return { identifier: id, comment };
}

async function readDescription(flags: NewFlags, fromInput: boolean, sources: TextSources): Promise<string> {
  const { body, bodyFile } = flags;
  let text = body ?? '';
  if (fromInput || bodyFile === '-') text = await sources.stdin();
  else if (bodyFile !== undefined) {
    text = await readFile(resolve(sources.cwd, bodyFile), 'utf8').catch((cause: unknown) => {
      throw new AppError('usage', `The body file cannot be read: ${messageOf(cause)}.`, {
        hint: 'Correct the path after --body-file.',
        cause,
      });
    });
  }
  assertText(text);
  return text.trimEnd();
}

function assertText(text: string): void {
  if (text.includes('\0')) throw usage('The text holds a NUL byte, so it is no text.', 'Give plain text.');
}

function splitList(values: readonly string[] = []): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function usage(message: string, hint: string): AppError {
  return new AppError('usage', message, { hint });
}
