import type { Launch } from '../sandbox/launch.ts';
import type { AgentProcess } from '../session/agent-process.ts';
import type { Session } from '../session/session.ts';
import { Rpc, type RpcHandlers } from './rpc.ts';

export interface ConnectionHandlers extends Pick<RpcHandlers, 'onRequest' | 'onPulse'> {
  /** False for a notification that is no sign of progress. */
  onNotification(method: string, params: unknown): boolean;
  /** A line was too long to be read. */
  onLost(): void;
}

/** A running app-server and the conversation with it. */
export interface Connection extends AgentProcess {
  readonly rpc: Rpc;
}

export async function openConnection(
  session: Session,
  launch: Launch,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  let started: AgentProcess | null = null;
  let progress = true;
  const rpc = new Rpc(session.clock, {
    ...handlers,
    write: (line) =>
      started?.child.writeLine(line) ?? Promise.reject(new Error('the app-server is not started yet')),
    onNotification(method, params) {
      progress = handlers.onNotification(method, params);
    },
    onMalformed: (bytes) => session.malformed(bytes),
  });
  const process = await session.startProcess(launch, {
    howToInstall:
      'Install Codex (npm install -g @openai/codex), or write its full path into codex.command in WORKFLOW.md.',
    onLine(line) {
      progress = true;
      rpc.acceptLine(line);
      return progress;
    },
    onOversizeLine(bytes) {
      session.malformed(bytes);
      handlers.onLost();
    },
  });
  started = process;
  void process.gone.then((error) => rpc.close(error));
  return { ...process, rpc };
}
