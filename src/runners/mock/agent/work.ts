import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runChecks } from './checks.ts';
import type { Session } from './session.ts';

/** Called between the commit and the push, where a crash is the most instructive. */
export type AfterCommit = () => Promise<void>;

/**
 * Does the next undone step: a line in the issue's notes, a commit, a push. What an earlier run already did is
 * recognised by its line, so a rerun continues. Returns how many steps are done. A null
 * `total` is work without end.
 */
export async function workOneStep(
  session: Session,
  total: number | null,
  afterCommit: AfterCommit,
): Promise<number> {
  const { issue, repository } = session;
  const path = `notes/${session.slug}.md`;
  const done = countSteps(await savedText(session, path));
  const step = total === null ? done + 1 : Math.min(done + 1, total);
  const title = total === null ? `Step ${step}` : `Step ${step} of ${total}`;
  await session.say('plan', `${title} for ${issue.identifier}`);
  if (done < step) {
    writeStep(session, path, step);
    await session.say('file_change', `Edited ${path}`);
    await session.reportUsage(0.5);
    if (repository !== null) {
      await repository.commit(path, `${issue.identifier}: ${oneLine(issue.title)}`, `${title}.`);
      await session.say('command', `Committed on ${repository.branch}`);
    }
  } else {
    await session.say('message', `Step ${step} was already done`);
  }
  await afterCommit();
  if (step === total) await runChecks(session);
  await publish(session);
  await session.reportUsage(0.75);
  return step;
}

/** Pushes the branch, unless the script says that the agent does not think of it. */
export async function publish(session: Session): Promise<void> {
  const { repository, script, handedOff } = session;
  if (script.forgets_push === 'always' || (script.forgets_push === 'until_told' && !handedOff))
    return session.say('message', 'Not thinking of a push');
  if (repository === null) return session.say('message', 'No git repository here: nothing to push');
  if (!repository.hasOrigin) return session.say('message', 'No remote named origin: nothing to push');
  const tool = session.tools.find((name) => name.endsWith('branch_push'));
  if (session.script.push === 'tool' && tool !== undefined) {
    const result = await session.callTool(tool, {});
    if (!result.success) throw new Error(`${tool} failed: ${result.error.message}`);
  } else {
    await repository.push();
  }
  await session.say('command', `Pushed ${repository.branch} to origin`);
}

/** A step counts once it is committed; without a repository, once it is written. */
async function savedText(session: Session, path: string): Promise<string> {
  return session.repository === null ? fileText(session, path) : session.repository.committedText(path);
}

function writeStep(session: Session, path: string, step: number): void {
  const before = fileText(session, path);
  if (countSteps(before) >= step) return;
  const file = join(session.workspace, path);
  mkdirSync(dirname(file), { recursive: true });
  const heading = before === '' ? `# ${session.issue.identifier}: ${oneLine(session.issue.title)}\n\n` : '';
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  appendFileSync(file, `${heading}${separator}- [x] step ${step}\n`);
}

function fileText(session: Session, path: string): string {
  const file = join(session.workspace, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function countSteps(text: string): number {
  return text.match(/^- \[x\] step \d+$/gm)?.length ?? 0;
}

/** A title with a line break would otherwise become the commit's body. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
