import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface FloorOptions {
  readonly issues: number;
  readonly slots: number;
  /** The agent's program and its arguments. */
  readonly agent: readonly string[];
  readonly folder: string;
}

/** Seconds that the same agents take with nobody but a loop around them: no git, no tracker, no journal. */
export async function measureFloor({ issues, slots, agent, folder }: FloorOptions): Promise<number> {
  await mkdir(folder, { recursive: true });
  const started = performance.now();
  let next = 0;
  const slot = async (): Promise<void> => {
    while (next < issues) {
      next += 1;
      const cwd = join(folder, `ENG-${next}`);
      await mkdir(cwd);
      await runAgent(agent, cwd);
    }
  };
  await Promise.all(Array.from({ length: slots }, slot));
  return (performance.now() - started) / 1000;
}

const REQUESTS = ['initialize', 'thread/start', 'turn/start'] as const;

async function runAgent([program = '', ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const ask = (id: number): void => {
    const method = REQUESTS[id];
    if (method !== undefined) child.stdin.write(`${JSON.stringify({ id, method, params: { cwd } })}\n`);
  };
  ask(0);
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { id?: number; method?: string };
    if (message.id !== undefined) ask(message.id + 1);
    else if (message.method === 'turn/completed') child.stdin.end();
  }
  await exited;
}
