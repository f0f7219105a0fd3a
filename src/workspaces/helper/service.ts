import { AsyncLocalStorage } from 'node:async_hooks';
import type { LogFields, Logger } from '../../observability/logger.ts';
import { plain } from '../../process/helper/sent-error.ts';
import type { CallPort, Service } from '../../process/helper/serve-helper.ts';
import { type TaskFilesInput, writeTaskFiles } from '../checkout/task-files.ts';
import { createWorkspaces } from '../create-workspaces.ts';
import type { Workspaces } from '../workspaces.ts';
import type { SentMethods, SentSetUp } from './messages.ts';
import { receiveRepo } from './sent-repo.ts';

/** More than a worker has: a reloaded workflow makes another. */
const MAX_SET_UPS = 20;

const calling = new AsyncLocalStorage<CallPort>();
const made = new Map<string, Workspaces>();

/** What the helper does for `throughHelper`. */
export const serveWorkspaces: Service = (method, [setUp, ...args], port) =>
  calling.run(port, () => {
    // What arrives is what our own program sent.
    const methods = methodsOf(workspacesOf(setUp as SentSetUp), port);
    return Reflect.apply(methods[method as keyof SentMethods], null, args);
  });

export const serveTaskFiles: Service = (_, [input]) => writeTaskFiles(input as TaskFilesInput);

function methodsOf(workspaces: Workspaces, { signal, tell, ask }: CallPort): SentMethods {
  return {
    prepare: (issue, repo) =>
      workspaces.prepare(
        { issue, repo: receiveRepo(repo), onProgress: (detail) => tell('progress', detail) },
        signal,
      ),
    evidence: (workspace) => workspaces.evidence(workspace, signal),
    reread: (workspace) => workspaces.reread(workspace),
    confirmCreated: (workspace) => workspaces.confirmCreated(workspace),
    remove: (identifier, options, asksBefore) =>
      workspaces.remove(identifier, signal, {
        ...options,
        ...(asksBefore
          ? { beforeRemove: async (workspace) => void (await ask('beforeRemove', workspace)) }
          : {}),
      }),
    push: (identifier, request) => workspaces.push(identifier, request, signal),
    branchStanding: (identifier) => workspaces.branchStanding(identifier, signal),
    list: () => workspaces.list(),
  };
}

function workspacesOf({ id, options, repo, creator }: SentSetUp): Workspaces {
  const existing = made.get(id);
  if (existing !== undefined) return existing;
  const [oldest] = made.keys();
  if (made.size >= MAX_SET_UPS && oldest !== undefined) made.delete(oldest);
  const workspaces = createWorkspaces({
    ...options,
    repo: receiveRepo(repo),
    creator,
    logger: tellingLogger({}),
  });
  made.set(id, workspaces);
  return workspaces;
}

/** Says to the worker what is to be logged, as part of the call that it is said in. */
function tellingLogger(always: LogFields): Logger {
  const say =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void =>
      calling.getStore()?.tell('log', level, message, plain({ ...always, ...fields }));
  return {
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    with: (fields) => tellingLogger({ ...always, ...fields }),
  };
}
