import { AppError, messageOf } from '../../errors/app-error.ts';
import { enterRunCgroup } from '../cgroup/run-cgroup.ts';
import { runCommand } from '../children/run-command.ts';
import { deleteTree } from '../files/delete-tree.ts';
import { findTree } from '../tree/descendants.ts';
import type { Reply, Request, SentCommand, SentError, TaskName, Tasks } from './messages.ts';

/*
 * A small process that starts commands for the worker. Starting one blocks whoever does it, the longer the larger it is.
 * It lives as long as the worker's channel to it, and after that until what it started has ended.
 */

const TASKS: Tasks = {
  findTree,
  enterRunCgroup: async (folder, pid) => enterRunCgroup(folder, pid),
  deleteTree,
};

const stops = new Map<number, AbortController>();

function reply(message: Reply): void {
  if (process.connected) process.send?.(message);
}

async function runSent(id: number, sent: SentCommand): Promise<unknown> {
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const onErrorLine = (line: string): void => reply({ type: 'error_line', id, line });
    const listen = sent.sendsErrorLines ? { onErrorLine } : {};
    return await runCommand({ ...sent.options, ...listen, signal: stop.signal }, sent.limits);
  } finally {
    stops.delete(id);
  }
}

function perform(name: TaskName, args: readonly unknown[]): Promise<unknown> {
  const task: (...args: never[]) => Promise<unknown> = TASKS[name];
  return Reflect.apply(task, null, args);
}

async function answer(id: number, work: Promise<unknown>): Promise<void> {
  try {
    reply({ type: 'result', id, result: await work });
  } catch (error) {
    reply({ type: 'failed', id, error: describe(error) });
  }
}

function describe(error: unknown): SentError {
  const message = messageOf(error);
  if (!(error instanceof AppError)) return { code: null, message, hint: null, context: {} };
  return { code: error.code, message, hint: error.hint, context: error.context };
}

process.on('message', (request: Request) => {
  if (request.type === 'run') void answer(request.id, runSent(request.id, request.command));
  else if (request.type === 'do') void answer(request.id, perform(request.task, request.args));
  else stops.get(request.id)?.abort();
});
// The worker decides when it ends; a signal for all of its processes must not take its hands away first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
reply({ type: 'ready' });
