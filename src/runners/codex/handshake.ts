import type { Logger } from '../../observability/logger.ts';
import type { SessionInput } from '../runner.ts';
import type { AskForApproval, ClientParams, SandboxMode } from './generated/protocol.d.ts';
import { CODEX_VERSION, initializedSchema, type ThreadOpened, threadOpenedSchema } from './protocol.ts';
import { type Rpc, RpcError } from './rpc.ts';
import type { CodexSettings } from './settings.ts';
import { versionInUserAgent } from './version.ts';

export interface OpenedThread {
  readonly opened: ThreadOpened;
  readonly resumed: boolean;
}

/** Sizeable and of no use here; the changes themselves are told by the items. */
const MUTED = ['turn/diff/updated', 'item/fileChange/patchUpdated'];
const MAX_NAME = 200;

export async function initialize(rpc: Rpc, timeoutMs: number, logger: Logger): Promise<void> {
  const answer = await rpc.request(
    'initialize',
    {
      clientInfo: { name: 'aiops-platform', title: 'AIOps Platform', version: '0.1.0' },
      capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: MUTED },
    },
    timeoutMs,
  );
  rpc.notify('initialized');
  const found = versionInUserAgent(initializedSchema.safeParse(answer).data?.userAgent ?? '');
  if (found !== null && found !== CODEX_VERSION) {
    logger.info('Codex is another version than the one this worker was tested with', {
      found,
      tested: CODEX_VERSION,
    });
  }
}

export async function startThread(
  rpc: Rpc,
  input: SessionInput,
  codex: CodexSettings,
  timeoutMs: number,
): Promise<ThreadOpened> {
  const answer = await rpc.request(
    'thread/start',
    {
      ...threadSettings(input, codex),
      dynamicTools: input.tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema,
      })),
    },
    timeoutMs,
  );
  const opened = threadOpenedSchema.parse(answer);
  const name = `${input.issue.identifier}: ${input.issue.title}`.slice(0, MAX_NAME);
  // A name is a convenience for people who look into Codex's own history.
  rpc.request('thread/name/set', { threadId: opened.thread.id, name }, timeoutMs).catch(() => {});
  return opened;
}

/** Goes on with an earlier thread where there is one; a thread that cannot be resumed is followed by a new one. */
export async function openThread(
  rpc: Rpc,
  input: SessionInput,
  codex: CodexSettings,
  timeoutMs: number,
): Promise<OpenedThread> {
  const { resumeSessionId: threadId } = input;
  if (threadId !== null) {
    try {
      const settings = threadSettings(input, codex);
      const answer = await rpc.request(
        'thread/resume',
        { threadId, ...settings, excludeTurns: true },
        timeoutMs,
      );
      const opened = threadOpenedSchema.parse(answer);
      return { opened, resumed: true };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      input.logger.warn('the earlier Codex thread cannot be resumed, a new one is started', {
        session_id: threadId,
        error: error.message,
      });
    }
  }
  return { opened: await startThread(rpc, input, codex, timeoutMs), resumed: false };
}

/**
 * `on-failure` is gone from the protocol; the policy nearest to it asks, and is granted by this worker. Any other is the
 * workflow's own, which may be meant for another version: the server judges it.
 */
export function wirePolicy(policy: unknown): AskForApproval {
  return policy === 'on-failure' ? 'on-request' : (policy as AskForApproval);
}

/**
 * Commands of the agent must not read the user's login files, directly or from a snapshot of them: whatever these export
 * would be the agent's, tracker credentials too. What the agent may have of them is in its environment.
 */
const NO_LOGIN_FILES = { allow_login_shell: false, 'features.shell_snapshot': false };

type ThreadSettings = Pick<
  ClientParams['thread/start' | 'thread/resume'],
  'cwd' | 'approvalPolicy' | 'sandbox' | 'config'
>;

function threadSettings({ workspacePath }: SessionInput, codex: CodexSettings): ThreadSettings {
  return {
    cwd: workspacePath,
    approvalPolicy: wirePolicy(codex.approvalPolicy),
    sandbox: codex.threadSandbox as SandboxMode,
    config: NO_LOGIN_FILES,
  };
}
