import {
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  client,
  methods,
  RequestError,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { AppError } from '../../errors/app-error.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { AgentProcess } from '../session/agent-process.ts';
import type { Session } from '../session/session.ts';
import { withTimeLimit } from '../session/time-limit.ts';
import { createWire } from './wire.ts';

export interface ConnectionHandlers {
  onPermission(params: unknown): RequestPermissionResponse;
  /** A request this client does not serve; it is refused. */
  onRefused(method: string): void;
  onUpdate(params: unknown): void;
}

/** A running agent and the conversation with it. */
export interface Connection extends AgentProcess {
  /**
   * The answer is not checked. Rejects with RequestError, with `response_timeout`, or with the process's end. Without a limit it
   * waits for as long as the agent lives.
   */
  request<M extends AgentRequestMethod>(
    method: M,
    params: AgentRequestParamsByMethod[M],
    timeoutMs: number | null,
  ): Promise<unknown>;
  /** Asks the agent to end the turn that is running. */
  cancel(sessionId: string): void;
}

const MAX_NAME = 100;

export async function openConnection(
  session: Session,
  launch: Launch,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  let started: AgentProcess | null = null;
  const wire = createWire({
    // The child bounds what waits for it. An agent that does not read cannot be spoken to any more.
    write: (line) => void started?.child.writeLine(line).catch((error: unknown) => link.close(error)),
    onUpdate: handlers.onUpdate,
    onMalformed: (bytes) => session.malformed(bytes),
  });
  const link = client({ name: 'aiops' })
    .onRequest(
      methods.client.session.requestPermission,
      (params: unknown) => params,
      ({ params }) => handlers.onPermission(params),
    )
    .onRequest('*', ({ method }) => {
      handlers.onRefused(method.slice(0, MAX_NAME));
      throw RequestError.methodNotFound(method.slice(0, MAX_NAME));
    })
    .connect(wire.stream);

  const process = await session.startProcess(launch, {
    howToInstall: 'Install the agent, or write its full path into acp.command in WORKFLOW.md.',
    onLine: (line) => wire.acceptLine(line),
  });
  started = process;
  const { exitError } = process;
  void process.gone.then(() => wire.end());

  return {
    ...process,
    async request(method, params, timeoutMs) {
      const exited = exitError();
      if (exited !== null) throw exited;
      const answer = link.agent.request(method, params);
      return withTimeLimit(session.clock, timeoutMs, answer, (ms) => timedOut(method, ms)).catch((error) => {
        throw exitError() ?? error;
      });
    },
    cancel: (sessionId) =>
      void link.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {}),
  };
}

function timedOut(method: string, ms: number): AppError {
  return new AppError('response_timeout', `The agent did not answer ${method} within ${ms} ms.`, {
    hint: 'Check that acp.command in WORKFLOW.md starts an agent of the Agent Client Protocol on standard input and output.',
  });
}
