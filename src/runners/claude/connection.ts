import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Child, ChildExit } from '../../process/child.ts';
import { formatJsonLine, parseJsonLine } from '../../process/json-lines.ts';
import { spawnChild } from '../../process/spawn.ts';
import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { controlRequestSchema, controlResponseSchema } from './protocol.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ConnectionHandlers {
  /** Claude asks; the answer goes out when the promise resolves. */
  onRequest(request: Fields & { readonly subtype: string }): Promise<object>;
  onMessage(type: string, message: Fields): void;
  /** A frequent message that says no more than that the agent lives. */
  onPulse(): void;
  emit(event: AgentEvent): void;
}

/** A running Claude and the conversation with it. */
export interface Connection {
  readonly child: Child;
  /** Resolves when Claude has agreed; rejects with its refusal, with `response_timeout`, or with the process's end. */
  request(request: Fields & { readonly subtype: string }, timeoutMs: number): Promise<void>;
  say(text: string): Promise<void>;
  /** When Claude last printed a line. */
  heardAt(): number;
  /** The process's end as an error; null while it lives. */
  exitError(): AppError | null;
}

/** Fragments of what comes whole later: such lines need not be parsed at all. */
const FRAGMENT = /^\{"type":"stream_event"/;
const SHELL_FOUND_NOTHING = 127;

interface Pending {
  resolve(): void;
  reject(error: Error): void;
  cancel(): void;
}

export async function openConnection(
  launch: Launch,
  input: SessionInput,
  clock: Clock,
  handlers: ConnectionHandlers,
): Promise<Connection> {
  const pending = new Map<string, Pending>();
  let child: Child | null = null;
  let heardAt = clock.now();
  let lastErrorLine = '';
  let exitError: AppError | null = null;
  let lastId = 0;

  const write = (message: object): Promise<void> =>
    child?.writeLine(formatJsonLine(message)) ?? Promise.reject(new Error('Claude is not started yet'));
  // A pipe that breaks is followed by the exit of the process.
  const send = (message: object): void => void write(message).catch(() => {});

  const accept = (message: Fields): boolean => {
    const { type } = message;
    if (typeof type !== 'string') return false;
    if (type === 'control_response') {
      const response = controlResponseSchema.safeParse(message).data?.response;
      const waiting = pending.get(response?.request_id ?? '');
      if (response?.subtype === 'success') waiting?.resolve();
      else waiting?.reject(new Error(response?.error ?? 'a refusal without a reason'));
      return response !== undefined;
    }
    if (type !== 'control_request') {
      handlers.onMessage(type, message);
      return true;
    }
    const asked = controlRequestSchema.safeParse(message).data;
    if (asked === undefined) return false;
    const { request_id, request } = asked;
    void handlers.onRequest(request).then(
      (response) =>
        send({ type: 'control_response', response: { subtype: 'success', request_id, response } }),
      (error: unknown) =>
        send({ type: 'control_response', response: { subtype: 'error', request_id, error: String(error) } }),
    );
    return true;
  };

  const malformed = (bytes: number): void => handlers.emit({ type: 'malformed', bytes });
  child = await spawnChild({
    command: launch.command,
    args: launch.args,
    env: launch.env,
    cwd: input.workspacePath,
    runId: input.runId,
    onLine(line) {
      heardAt = clock.now();
      if (FRAGMENT.test(line)) return handlers.onPulse();
      const parsed = parseJsonLine(line);
      if (parsed.kind === 'noise') return;
      if (parsed.kind === 'malformed' || !accept(parsed.value)) malformed(Buffer.byteLength(line));
    },
    onOversizeLine(bytes) {
      heardAt = clock.now();
      malformed(bytes);
    },
    onErrorLine(line) {
      if (line.trim() !== '') lastErrorLine = line.trim();
      input.logger.debug('agent stderr', { line });
    },
  }).catch((error: unknown) => {
    dispose(launch);
    throw error;
  });
  void child.exited.then((exit) => {
    exitError = errorOfExit(exit, launch.command, lastErrorLine);
    for (const waiting of pending.values()) waiting.reject(exitError);
    dispose(launch);
  });

  return {
    child,
    request(request, timeoutMs) {
      if (exitError !== null) return Promise.reject(exitError);
      lastId += 1;
      const id = `aiops-${lastId}`;
      const answered = new Promise<void>((resolve, reject) => {
        const cancel = clock.setTimer(timeoutMs, () => reject(timedOut(request.subtype, timeoutMs)));
        pending.set(id, { resolve, reject, cancel });
      }).finally(() => {
        pending.get(id)?.cancel();
        pending.delete(id);
      });
      send({ type: 'control_request', request_id: id, request });
      return answered;
    },
    say: (text) =>
      write({
        type: 'user',
        message: { role: 'user', content: [{ type: 'text', text }] },
        parent_tool_use_id: null,
        session_id: '',
      }),
    heardAt: () => heardAt,
    exitError: () => exitError,
  };
}

function dispose(launch: Launch): void {
  void launch.dispose?.().catch(() => {});
}

function timedOut(subtype: string, ms: number): AppError {
  return new AppError('response_timeout', `Claude did not answer ${subtype} within ${ms} ms.`, {
    hint: 'Run `claude -p hello` by hand as the user of the worker, or look at the load of the machine.',
  });
}

export const UNKNOWN_CONVERSATION = /No conversation found/i;

function errorOfExit({ code, signal }: ChildExit, command: string, lastErrorLine: string): AppError {
  const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
  const said = lastErrorLine === '' ? '' : `: ${lastErrorLine.slice(0, 500)}`;
  const missing = code === SHELL_FOUND_NOTHING;
  return new AppError(missing ? 'agent_not_found' : 'port_exit', `Claude ${how}${said}`, {
    hint: missing ? HOW_TO_INSTALL : hintFor(lastErrorLine, command),
    context: { command },
  });
}

const HOW_TO_INSTALL =
  'Install Claude Code (npm install -g @anthropic-ai/claude-code), or write its full path into claude.command in WORKFLOW.md.';

function hintFor(lastErrorLine: string, command: string): string {
  if (/root\/sudo/i.test(lastErrorLine)) {
    return 'Claude refuses bypassPermissions as root: run the worker as another user, or set claude.permission_mode to acceptEdits and list what else it may do in claude.allowed_tools.';
  }
  return `Run \`${command}\` by hand as the worker's user to see what it says.`;
}
