import { enterRunCgroup } from '../cgroup/run-cgroup.ts';
import { runCommand } from '../children/run-command.ts';
import { deleteTree } from '../files/delete-tree.ts';
import { findTree } from '../tree/descendants.ts';
import { markCommands } from './helper.ts';
import type { Answer, Reply, Request, SentCall, SentCommand, TaskName, Tasks } from './messages.ts';
import { describeError, reviveError } from './sent-error.ts';

const TASKS: Tasks = {
  findTree,
  enterRunCgroup: async (folder, pid) => enterRunCgroup(folder, pid),
  deleteTree,
};

/** What a call can do on its way. */
export interface CallPort {
  /** Aborted when the worker says so, and when it is gone. */
  readonly signal: AbortSignal;
  tell(name: string, ...args: readonly unknown[]): void;
  ask(name: string, ...args: readonly unknown[]): Promise<unknown>;
}

export type Service = (method: string, args: readonly unknown[], port: CallPort) => Promise<unknown>;

/** Loaded when it is first called: most of what is in the helper is seldom needed. */
export type Services = Readonly<Record<string, () => Promise<Service>>>;

const commands = new Map<number, AbortController>();
const calls = new Map<number, AbortController>();
const questions = new Map<number, (answer: Answer) => void>();
let lastAskId = 0;

/**
 * A small process that starts commands for the worker, and does what blocks or costs much. Starting a command blocks whoever does it, the
 * longer the larger it is. It lives as long as the worker's channel to it, and after that until the commands that it was given have ended;
 * calls end with the worker.
 */
export function serveHelper(services: Services, id: string): void {
  markCommands(id);
  process.on('message', (request: Request) => {
    if (request.type === 'run') void answer(request.id, runSent(request.id, request.command));
    else if (request.type === 'do') void answer(request.id, perform(request.task, request.args));
    else if (request.type === 'call')
      void answer(request.id, callService(services, request.id, request.call));
    else if (request.type === 'answer') questions.get(request.askId)?.(request.answer);
    else (commands.get(request.id) ?? calls.get(request.id))?.abort();
  });
  process.on('disconnect', () => {
    for (const call of calls.values()) call.abort();
    for (const settle of questions.values()) settle({ error: describeError(new Error('the worker ended')) });
  });
  // The worker decides when it ends; a signal for all of its processes must not take its hands away first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  reply({ type: 'ready' });
}

function reply(message: Reply): void {
  if (process.connected) process.send?.(message);
}

async function answer(id: number, work: Promise<unknown>): Promise<void> {
  try {
    reply({ type: 'result', id, result: await work });
  } catch (error) {
    reply({ type: 'failed', id, error: describeError(error) });
  }
}

async function runSent(id: number, sent: SentCommand): Promise<unknown> {
  const stop = new AbortController();
  commands.set(id, stop);
  try {
    const onErrorLine = (line: string): void => reply({ type: 'error_line', id, line });
    const listen = sent.sendsErrorLines ? { onErrorLine } : {};
    return await runCommand({ ...sent.options, ...listen, signal: stop.signal }, sent.limits);
  } finally {
    commands.delete(id);
  }
}

function perform(name: TaskName, args: readonly unknown[]): Promise<unknown> {
  const task: (...args: never[]) => Promise<unknown> = TASKS[name];
  return Reflect.apply(task, null, args);
}

async function callService(
  services: Services,
  id: number,
  { service, method, args }: SentCall,
): Promise<unknown> {
  const stop = new AbortController();
  calls.set(id, stop);
  try {
    const serve = await services[service]?.();
    if (serve === undefined) throw new Error(`the helper has no ${service}`);
    return await serve(method, args, {
      signal: stop.signal,
      tell: (name, ...told) => reply({ type: 'told', id, name, args: told }),
      ask: (name, ...asked) => ask(id, name, asked),
    });
  } finally {
    calls.delete(id);
  }
}

async function ask(id: number, name: string, args: readonly unknown[]): Promise<unknown> {
  lastAskId += 1;
  const askId = lastAskId;
  try {
    const given = await new Promise<Answer>((resolve) => {
      questions.set(askId, resolve);
      reply({ type: 'asked', id, askId, name, args });
    });
    if ('error' in given) throw reviveError(given.error);
    return given.result;
  } finally {
    questions.delete(askId);
  }
}
