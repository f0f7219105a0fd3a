import type { Issue } from '../../domain/issue.ts';
import type { PushRequest } from '../../domain/push.ts';
import type { WorkspacesOptions } from '../create-workspaces.ts';
import type { RemoveOptions, Workspace, Workspaces } from '../workspaces.ts';
import type { SentRepo } from './sent-repo.ts';

/** By which name the helper knows workspaces. */
export const SERVICE = 'workspaces';

/** What makes a `Workspaces` in another process; the same id stands for the same one. */
export interface SentSetUp {
  readonly id: string;
  readonly options: Omit<WorkspacesOptions, 'logger' | 'repo' | 'creator'>;
  readonly repo: SentRepo | null;
  readonly creator: string;
}

/** What is called there: all but the relay, which answers to whoever opened it. */
export interface SentMethods {
  prepare(issue: Issue, repo: SentRepo | null): ReturnType<Workspaces['prepare']>;
  evidence(workspace: Workspace): ReturnType<Workspaces['evidence']>;
  reread(workspace: Workspace): ReturnType<Workspaces['reread']>;
  confirmCreated(workspace: Workspace): ReturnType<Workspaces['confirmCreated']>;
  remove(
    identifier: string,
    options: Omit<RemoveOptions, 'beforeRemove'>,
    asksBefore: boolean,
  ): ReturnType<Workspaces['remove']>;
  push(identifier: string, request: PushRequest): ReturnType<Workspaces['push']>;
  branchStanding(identifier: string): ReturnType<Workspaces['branchStanding']>;
  list(): ReturnType<Workspaces['list']>;
}

/** By which name the helper knows the files that a task begins with. */
export const TASK_FILES_SERVICE = 'task-files';
