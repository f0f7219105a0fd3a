import type { Clock } from '../../domain/clock.ts';
import { type AgentProcess, startAgentProcess } from '../agent-process.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { RequestId } from './protocol.ts';
import { createRpc, type Rpc } from './rpc.ts';

export interface ConnectionHandlers {
  onRequest(id: RequestId, method: string, params: unknown): void;
  /** False for a notification that is no sign of progress. */
  onNotification(method: string, params: unknown): boolean;
  onPulse(method: string): void;
  /** A line was too long to be read. */
  onLost(): void;
  onMalformed(bytes: number): void;
}

/** A running app-server and the conversation with it. */
export interface Connection extends AgentProcess {
  readonly rpc: Rpc;
  /** When the server last showed progress. */
  heardAt(): number;
}

export async function openConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  let started: AgentProcess | null = null;
  let heardAt = clock.elapsed();
  let progress = true;
  const rpc = createRpc({
    clock,
    write: (line) =>
      started?.child.writeLine(line) ?? Promise.reject(new Error('the app-server is not started yet')),
    onRequest: handlers.onRequest,
    onNotification(method, params) {
      progress = handlers.onNotification(method, params);
    },
    onPulse: handlers.onPulse,
    onMalformed: handlers.onMalformed,
  });
  const process = await startAgentProcess(launch, input, {
    name: 'Codex',
    howToInstall:
      'Install Codex (npm install -g @openai/codex), or write its full path into codex.command in WORKFLOW.md.',
    onLine(line) {
      progress = true;
      rpc.acceptLine(line);
      if (progress) heardAt = clock.elapsed();
    },
    onOversizeLine(bytes) {
      heardAt = clock.elapsed();
      handlers.onMalformed(bytes);
      handlers.onLost();
    },
  });
  started = process;
  void process.gone.then((error) => rpc.close(error));
  return { ...process, rpc, heardAt: () => heardAt };
}
