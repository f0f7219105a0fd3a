import type { Environment } from '../../config/read/environment.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit } from '../../process/children/child.ts';
import { buildChildEnvironment } from '../../process/children/environment.ts';
import { spawnChild } from '../../process/children/spawn.ts';
import { packageFile } from '../../process/package-file.ts';

export interface DemoWorker {
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<ChildExit>;
  hasExited(): boolean;
  stop(): Promise<void>;
}

/** How long the worker may take to end its agents. */
const STOP_GRACE = { inputEndMs: 0, termMs: 20_000 };

/** Starts `aiops worker` as a user would, in a process of its own, and waits for its address. */
export async function startDemoWorker(
  workflowPath: string,
  port: number,
  environment: Environment,
  signal: AbortSignal,
): Promise<DemoWorker> {
  signal.throwIfAborted();
  const log: string[] = [];
  let announce: (url: string) => void = () => {};
  const ready = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const child: Child = await spawnChild({
    command: process.execPath,
    args: [packageFile('dist/program/aiops.js'), 'worker', '--port', String(port), workflowPath],
    cwd: process.cwd(),
    env: buildChildEnvironment({
      source: environment,
      passthrough: ['XDG_STATE_HOME'],
      denyNames: [],
      denyValues: [],
      extra: {},
    }),
    runId: `demo-${process.pid}`,
    onLine: () => {},
    onErrorLine(line) {
      log.push(line);
      if (log.length > 20) log.shift();
      const url = line.includes('"worker ready"') ? /"url":"(http:[^"]+)"/.exec(line)?.[1] : undefined;
      if (url !== undefined) announce(url);
    },
  });
  let ended = false;
  const died = child.exited.then(() => {
    ended = true;
    // Its own last line says what is wrong and what to do.
    throw new AppError('worker_ended', log.at(-1)?.replace(/^aiops: /, '') ?? 'the worker ended at once');
  });
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const stop = (): Promise<void> => child.terminate(STOP_GRACE);
  const url = await Promise.race([ready, died, stopped]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    hasExited: () => ended,
    stop,
  };
}
