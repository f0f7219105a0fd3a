import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIssueFolder, type IssueFolder } from '../../trackers/local/client.ts';
import { renderIssueText } from '../../trackers/local/file/document.ts';
import type { Git } from './demo-git.ts';
import { DEMO_BRANCH, DEMO_ISSUES, demoWorkflow, PROJECT_FILES } from './scenario.ts';

/** A directory with everything the demo needs: a bare remote, a folder of issues, a workflow. */
export interface Scratch {
  readonly directory: string;
  readonly remote: string;
  readonly workflowPath: string;
  readonly issues: IssueFolder;
  remove(): Promise<void>;
}

export async function createScratch(git: Git, now: number): Promise<Scratch> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'aiops-demo-')));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    const remote = join(directory, 'remote.git');
    await createRemote(git, directory, remote);
    const workflowPath = join(directory, 'WORKFLOW.md');
    await writeFile(workflowPath, demoWorkflow(remote));
    const issues = createIssueFolder(join(directory, 'issues'));
    await writeIssues(issues, now);
    return { directory, remote, workflowPath, issues, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function createRemote(git: Git, directory: string, remote: string): Promise<void> {
  const seed = join(directory, 'seed');
  await git(directory, 'init', '-q', '--bare', '-b', DEMO_BRANCH, remote);
  await git(directory, 'init', '-q', '-b', DEMO_BRANCH, seed);
  for (const [name, text] of Object.entries(PROJECT_FILES)) await writeFile(join(seed, name), text);
  await git(seed, 'add', '.');
  await git(seed, 'commit', '-q', '-m', 'Say hello');
  await git(seed, 'push', '-q', remote, DEMO_BRANCH);
  await rm(seed, { recursive: true, force: true });
}

async function writeIssues(issues: IssueFolder, now: number): Promise<void> {
  await mkdir(issues.path, { recursive: true });
  for (const [index, issue] of DEMO_ISSUES.entries()) {
    const at = new Date(now + index).toISOString();
    const text = renderIssueText(
      {
        title: issue.title,
        state: 'Todo',
        priority: issue.priority,
        labels: [],
        blocked_by: [...issue.blockedBy],
        assignee: null,
        author: null,
        branch: null,
        url: null,
        created_at: at,
        updated_at: at,
      },
      issue.body,
    );
    await writeFile(issues.pathOf(issue.id), text);
  }
}
