import { PassThrough } from 'node:stream';
import type { Clock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import { settledWithin } from '../../process/children/settled-within.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Timing } from '../timing.ts';
import {
  answerTimedOut,
  type Connection,
  type ConnectionHandlers,
  type Fields,
  type UserMessage,
} from './connection.ts';
import { TOOL_SERVER } from './permissions.ts';
import { type ClaudeProcess, startProcess } from './process.ts';
import type { AgentSdk, SdkMcpServer, SdkOptions, SdkQuery } from './sdk.ts';
import { BridgedProcess, isForTheSdk } from './sdk-process.ts';

export interface SdkConnectionParts {
  readonly sdk: AgentSdk;
  readonly options: SdkOptions;
  readonly input: SessionInput;
  readonly clock: Clock;
  readonly timing: Timing;
  /** How Claude is started with the SDK's arguments; `program` is the one the SDK would start. */
  launch(program: string, args: readonly string[]): Promise<Launch>;
}

/** How long the last words of an ended process may take through the SDK, and a refusing one may take to end. */
const REST_MS = 2_000;

/** Speaks to Claude through the Claude Agent SDK. The process is the worker's own all the same. */
export async function openSdkConnection(
  parts: SdkConnectionParts,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  const { clock, timing, input } = parts;
  const outbox = new PassThrough({ objectMode: true });
  const { query, process } = await startQuery(parts, handlers, outbox);
  const { child } = process;
  let sdkError: AppError | null = null;
  const exitError = (): AppError | null => sdkError ?? process.exitError();

  const read = readMessages(query, handlers).catch((error: unknown) => {
    // The SDK also throws when the process has failed or the last turn has; Claude has said so itself then.
    if (process.exitError() === null) sdkError = brokenConversation(error);
  });
  // Without its reader the process would go on unheard.
  void read.then(() => child.terminate(timing.stopGrace)).catch(() => {});
  const ended = child.exited
    .then(() => settledWithin(read, REST_MS))
    .then(() => {
      outbox.end();
      query.close();
    });

  return {
    ...process,
    exitError,
    ended,
    async initialize(timeoutMs) {
      let cancel = (): void => {};
      const late = new Promise<never>((_, reject) => {
        cancel = clock.setTimer(timeoutMs, () => reject(answerTimedOut('initialize', timeoutMs)));
      });
      const gone = process.gone.then((error) => Promise.reject(sdkError ?? error));
      try {
        await Promise.race([query.initializationResult(), late, gone]);
      } catch (error) {
        if (error instanceof AppError) throw error;
        input.logger.debug('the Claude Agent SDK gave up', { error: messageOf(error) });
        // A Claude that refuses is about to end, and says better why.
        await settledWithin(child.exited, REST_MS);
        throw exitError() ?? error;
      } finally {
        cancel();
      }
    },
    async interrupt() {
      await query.interrupt({ cancelQueued: true });
    },
    async say(message) {
      if (!outbox.writableEnded) outbox.write(message);
    },
  };
}

async function startQuery(
  parts: SdkConnectionParts,
  handlers: ConnectionHandlers,
  prompt: AsyncIterable<UserMessage>,
): Promise<{ readonly query: SdkQuery; readonly process: ClaudeProcess }> {
  const { input, clock, timing } = parts;
  const spawned: Promise<ClaudeProcess>[] = [];
  const query = parts.sdk.query({
    prompt,
    options: {
      ...parts.options,
      canUseTool: async (tool_name, asked) => handlers.onPermission({ tool_name, input: asked }),
      ...(input.tools.length === 0 ? {} : { mcpServers: { [TOOL_SERVER]: toolServer(handlers) } }),
      spawnClaudeCodeProcess({ command, args }) {
        const bridge: BridgedProcess = new BridgedProcess({
          end: ({ child }) => child.terminate(timing.stopGrace),
          start: async () =>
            startProcess(await parts.launch(command, args), input, clock, {
              onLine(line) {
                if (isForTheSdk(line, handlers)) bridge.push(line);
              },
              onOversizeLine: (bytes) => handlers.onMalformed(bytes),
            }),
        });
        spawned.push(bridge.started);
        return bridge;
      },
    },
  });
  try {
    // It starts Claude at once; one that does not is waited for, and may give up before.
    if (spawned.length === 0) await query.initializationResult();
    const [process = Promise.reject(new Error('the Claude Agent SDK started nothing'))] = spawned;
    return { query, process: await process };
  } catch (error) {
    query.close();
    throw error;
  }
}

/** The worker's own MCP server: the SDK only has to carry its messages. */
function toolServer(handlers: ConnectionHandlers): SdkMcpServer {
  return {
    type: 'sdk',
    name: TOOL_SERVER,
    instance: {
      async connect(transport) {
        transport.onmessage = (message) => {
          void handlers
            .onMcp(message)
            .then((answer) => (answer === null ? undefined : transport.send(answer)))
            // The conversation is over, and with it the question.
            .catch(() => {});
        };
        await transport.start();
      },
    },
  };
}

async function readMessages(query: SdkQuery, handlers: ConnectionHandlers): Promise<void> {
  for await (const message of query) {
    if (isMessage(message)) handlers.onMessage(message.type, message);
  }
}

function isMessage(value: unknown): value is Fields & { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function brokenConversation(error: unknown): AppError {
  return new AppError('port_exit', `The Claude Agent SDK gave up: ${messageOf(error).slice(0, 500)}`, {
    hint: 'Update the SDK and Claude Code to versions of the same time, or set claude.driver: command.',
    cause: error,
  });
}
