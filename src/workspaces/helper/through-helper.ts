import { randomUUID } from 'node:crypto';
import type { Logger } from '../../observability/logger.ts';
import { callInHelper } from '../../process/helper/helper.ts';
import { type TaskFilesInput, writeTaskFiles } from '../checkout/task-files.ts';
import { createWorkspaces, type WorkspacesOptions } from '../create-workspaces.ts';
import { gitEnvironment } from '../git/environment.ts';
import { ownCreator } from '../ownership/creating-process.ts';
import type { OwnedWorkspace, Workspaces } from '../workspaces.ts';
import { SERVICE, type SentMethods, type SentSetUp, TASK_FILES_SERVICE } from './messages.ts';
import { sendRepo } from './sent-repo.ts';

interface Listeners {
  onProgress?(detail: string): void;
  beforeRemove?(workspace: OwnedWorkspace): Promise<void>;
}

/**
 * Workspaces whose work is done by the helper process: hundreds of files are looked at for each run, and the worker has more to do. Whenever
 * there is no helper, the worker does the same itself. Both may be at work at the same moment, like two workers with the same roots.
 */
export function createWorkspacesThroughHelper(options: WorkspacesOptions): Workspaces {
  const here = createWorkspaces(options);
  const { logger, repo, environment, ...plainOptions } = options;
  const sentOptions = { ...plainOptions, environment: gitEnvironment(environment) };
  let setUp: Promise<SentSetUp> | null = null;

  async function makeSetUp(): Promise<SentSetUp> {
    return { id: randomUUID(), options: sentOptions, repo: sendRepo(repo), creator: await ownCreator() };
  }

  async function call<Name extends keyof SentMethods>(
    method: Name,
    args: Parameters<SentMethods[Name]>,
    signal: AbortSignal | undefined,
    listeners: Listeners,
    instead: () => Promise<Awaited<ReturnType<SentMethods[Name]>>>,
  ): Promise<Awaited<ReturnType<SentMethods[Name]>>> {
    const port = {
      onTold: (name: string, told: readonly unknown[]): void =>
        name === 'log' ? log(logger, told) : listeners.onProgress?.(String(told[0])),
      // What arrives is what our own program sent.
      onAsked: async (_: string, [workspace]: readonly unknown[]): Promise<void> =>
        listeners.beforeRemove?.(workspace as OwnedWorkspace),
    };
    setUp ??= makeSetUp();
    const sent = { service: SERVICE, method, args: [await setUp, ...args] };
    return callInHelper(sent, port, signal, instead);
  }

  return {
    prepare: (request, signal) =>
      call('prepare', [request.issue, sendRepo(request.repo)], signal, request, () =>
        here.prepare(request, signal),
      ),
    evidence: (workspace, signal) =>
      call('evidence', [workspace], signal, {}, () => here.evidence(workspace, signal)),
    reread: (workspace) => call('reread', [workspace], undefined, {}, () => here.reread(workspace)),
    confirmCreated: (workspace) =>
      call('confirmCreated', [workspace], undefined, {}, () => here.confirmCreated(workspace)),
    remove: (identifier, signal, removal = {}) => {
      const { beforeRemove, ...rest } = removal;
      const asksBefore = beforeRemove !== undefined;
      return call('remove', [identifier, rest, asksBefore], signal, removal, () =>
        here.remove(identifier, signal, removal),
      );
    },
    push: (identifier, request, signal) =>
      call('push', [identifier, request], signal, {}, () => here.push(identifier, request, signal)),
    branchStanding: (identifier, signal) =>
      call('branchStanding', [identifier], signal, {}, () => here.branchStanding(identifier, signal)),
    list: () => call('list', [], undefined, {}, () => here.list()),
    openRelay: (workspace, push) => here.openRelay(workspace, push),
  };
}

/** As `writeTaskFiles` of `checkout/`. */
export function writeTaskFilesThroughHelper(input: TaskFilesInput): Promise<void> {
  const call = { service: TASK_FILES_SERVICE, method: 'write', args: [input] };
  const port = { onTold() {}, onAsked: async () => {} };
  return callInHelper(call, port, undefined, () => writeTaskFiles(input));
}

function log(logger: Logger, [level, message, fields]: readonly unknown[]): void {
  logger[level as 'debug' | 'info' | 'warn' | 'error'](String(message), fields as Record<string, unknown>);
}
