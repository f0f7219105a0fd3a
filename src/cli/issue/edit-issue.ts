import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../config/read/environment.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { runInteractive } from '../../process/children/run-interactive.ts';
import { parseIssueText } from '../../trackers/local/file/document.ts';
import { readIssueFile } from '../../trackers/local/file/read-file.ts';
import type { LocalIssues } from './local-issues.ts';

export interface EditIo {
  readonly environment: Environment;
  readonly cwd: string;
  /** Whether a person can edit here. */
  readonly hasTerminal: boolean;
}

export interface Edited {
  readonly identifier: string;
  readonly path: string;
  readonly changed: boolean;
}

/**
 * Opens a copy of an issue in the person's editor and puts it in place when it is valid. What the worker or an agent wrote
 * meanwhile is never overwritten: then, as for a text that is no issue, the copy stays and is named.
 */
export async function editIssue(local: LocalIssues, identifier: string, io: EditIo): Promise<Edited> {
  const { id } = local.find(identifier);
  const path = local.folder.pathOf(id);
  const editor = editorOf(io);
  const file = readIssueFile(path);
  if (file.kind !== 'text') throw new AppError('issue_not_found', `${path} cannot be read.`);
  const folder = await mkdtemp(join(tmpdir(), 'aiops-issue-'));
  const copy = join(folder, `${id}.md`);
  await writeFile(copy, file.text, { mode: 0o600 });
  await runEditor(editor, copy, io);
  const text = await readFile(copy, 'utf8');
  const changed = text !== file.text;
  if (changed) await putInPlace(local, id, copy, { before: file.text, after: text });
  await rm(folder, { recursive: true, force: true });
  return { identifier: id, path, changed };
}

async function putInPlace(
  local: LocalIssues,
  id: string,
  copy: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const parsed = parseIssueText(after);
  if (!parsed.ok)
    throw new AppError(
      'invalid_issue_file',
      `Nothing was changed: the text is no issue: ${parsed.problem}.`,
      {
        hint: `It is kept in ${copy}; correct it and copy it to ${local.folder.pathOf(id)}.`,
      },
    );
  await local.folder.update(id, (text) => {
    if (text === before) return after;
    throw new AppError(
      'issue_conflict',
      `Nothing was changed: somebody wrote to ${id} while you edited it.`,
      {
        hint: `Your text is kept in ${copy}; run \`aiops issue edit ${id}\` again and take over what you need.`,
      },
    );
  });
}

/** `$VISUAL` and `$EDITOR` may have arguments, such as `code --wait`. */
function editorOf({ environment, hasTerminal }: EditIo): readonly string[] {
  const named = [environment['VISUAL'], environment['EDITOR']].find((text) => (text ?? '').trim() !== '');
  if (named !== undefined) return named.trim().split(/\s+/);
  if (hasTerminal) return ['vi'];
  throw new AppError('usage', 'There is no terminal here, and $VISUAL and $EDITOR are not set.', {
    hint: 'Set one of them to your editor, or edit the file itself: `aiops issue show` names it.',
  });
}

async function runEditor(
  [command = 'vi', ...args]: readonly string[],
  file: string,
  { environment, cwd }: EditIo,
): Promise<void> {
  const code = await runInteractive({ command, args: [...args, file], cwd, env: { ...environment } }).catch(
    (cause: unknown) => {
      throw new AppError('usage', `The editor ${command} cannot be started: ${messageOf(cause)}.`, {
        hint: 'Set $VISUAL or $EDITOR to the editor you use.',
        cause,
      });
    },
  );
  if (code === 0) return;
  throw new AppError('usage', `Nothing was changed: ${command} ended with ${code ?? 'a signal'}.`, {
    hint: `Your text is kept in ${file}.`,
  });
}
