import { type McpServer, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { z } from 'zod';
import { AppError } from '../../errors/app-error.ts';
import type { Session } from '../session/session.ts';
import type { Connection } from './connection.ts';
import { type Initialized, initializedSchema, openedSchema } from './protocol.ts';

export interface Opened {
  readonly sessionId: string;
  readonly resumed: boolean;
  /** Null where the agent does not tell it. */
  readonly model: string | null;
}

/** The servers the agent is told to take its tools from. */
export type OfferTools = (agent: Initialized['agentCapabilities']) => Promise<McpServer[]>;

const AUTH_REQUIRED = -32000;

/** Agrees on the protocol and opens the session of the run: the one to resume where that is possible, else a new one. */
export async function openAgentSession(
  connection: Connection,
  session: Session,
  offerTools: OfferTools,
): Promise<Opened> {
  const { input, timing } = session;
  const agent = await initialize(connection, session);
  const { loadSession, sessionCapabilities } = agent.agentCapabilities;
  const mcpServers = await offerTools(agent.agentCapabilities);
  const place = { cwd: input.workspacePath, mcpServers };
  const open = async (
    method: 'session/new' | 'session/load' | 'session/resume',
    sessionId: string,
  ): Promise<z.infer<typeof openedSchema>> => {
    session.stage = method;
    const params = method === methods.agent.session.new ? place : { sessionId, ...place };
    const answer = await connection.request(method, params, timing.responseTimeoutMs);
    return read(openedSchema, answer, method);
  };

  const sessionId = input.resumeSessionId;
  const { resume, load } = methods.agent.session;
  const again = sessionCapabilities.resume ? resume : loadSession ? load : null;
  if (sessionId !== null && again !== null) {
    try {
      const { model } = await open(again, sessionId);
      return { sessionId, resumed: true, model };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { message } = error;
      input.logger.warn('the agent cannot resume the session; a new one is begun', { error: message });
    }
  }
  const opened = await open(methods.agent.session.new, '').catch((error: unknown) => {
    throw error instanceof RequestError && error.code === AUTH_REQUIRED ? signInNeeded(agent, error) : error;
  });
  if (opened.sessionId === null) throw strangeAnswer(methods.agent.session.new);
  return { sessionId: opened.sessionId, resumed: false, model: opened.model };
}

async function initialize(connection: Connection, session: Session): Promise<Initialized> {
  const method = methods.agent.initialize;
  session.stage = method;
  const answer = await connection.request(
    method,
    {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'aiops', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    },
    session.timing.responseTimeoutMs,
  );
  const agent = read(initializedSchema, answer, method);
  if (agent.protocolVersion !== PROTOCOL_VERSION) {
    throw new AppError(
      'agent_failed',
      `The agent speaks version ${agent.protocolVersion} of the Agent Client Protocol, not ${PROTOCOL_VERSION}.`,
      { hint: `Use a version of the agent that speaks version ${PROTOCOL_VERSION} of the protocol.` },
    );
  }
  session.input.logger.debug('agent of the Agent Client Protocol', { agent: agent.agentInfo ?? null });
  return agent;
}

function read<S extends z.ZodType>(schema: S, answer: unknown, method: string): z.infer<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw strangeAnswer(method);
  return parsed.data;
}

function strangeAnswer(method: string): AppError {
  return new AppError(
    'agent_failed',
    `The agent answered ${method} with something the protocol does not know.`,
    {
      hint: 'Check that acp.command in WORKFLOW.md starts an agent of the Agent Client Protocol, and update the agent.',
    },
  );
}

function signInNeeded({ authMethods }: Initialized, cause: RequestError): AppError {
  const ways = authMethods.map(({ name }) => name.slice(0, 60)).slice(0, 5);
  const offered = ways.length === 0 ? '' : ` It offers: ${ways.join(', ')}.`;
  return new AppError(
    'agent_unauthorized',
    `The agent wants to be signed in: ${cause.message.slice(0, 300)}`,
    {
      hint: `Sign in to the agent as the user of the worker, or pass its key on with acp.env_passthrough.${offered}`,
      cause,
    },
  );
}
