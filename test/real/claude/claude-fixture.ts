import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { createClaudeRunner } from '../../../src/runners/claude/runner.ts';
import type { ClaudeSettings } from '../../../src/runners/claude/settings.ts';
import type { AgentSession, SessionInput } from '../../../src/runners/runner.ts';
import type { Sandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { type AgentFixture, openAgentFixture } from '../../contracts/runner-agent-fixture.ts';
import {
  type MessageReply,
  type MessageRequest,
  type MessagesServer,
  startMessagesServer,
} from '../../fakes/claude/messages-server.ts';
import { fakeClaudeSettings } from '../../fakes/claude/settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    claudeBinary: string | null;
    claudeSdkFolder: string | null;
  }
}

export const claudeBinary = inject('claudeBinary');
export const sdkFolder = inject('claudeSdkFolder');

/** Skipped where the program is not installed. */
export const describeClaude = describe.runIf(claudeBinary !== null);

export const never = new AbortController().signal;

/** What makes Claude talk to the scripted model and to nobody else. */
export function claudeVariables(baseUrl: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: 'sk-ant-dummy-not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  };
}

export interface ClaudeFixture extends AgentFixture<MessagesServer> {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  open(
    claude?: Partial<ClaudeSettings>,
    input?: Partial<SessionInput>,
    sandbox?: Sandbox | null,
    verifyCommands?: readonly string[],
  ): Promise<AgentSession>;
}

/** The real program on a workspace of its own; everything ends with the test. */
export async function openClaudeFixture(
  script: (request: MessageRequest, number: number) => MessageReply,
): Promise<ClaudeFixture> {
  const agent = await openAgentFixture(() => startMessagesServer(script));
  const { fixture, model } = agent;
  const home = join(fixture.root, 'home');
  mkdirSync(join(home, 'tmp'), { recursive: true });
  const environment = {
    ...fixture.environment,
    ...claudeVariables(model.baseUrl),
    HOME: home,
    TMPDIR: join(home, 'tmp'),
  };
  return {
    ...agent,
    home,
    environment,
    async open(claude = {}, input = {}, sandbox = null, verifyCommands = []) {
      const command = claudeBinary ?? 'claude';
      const allowedTools = ['Bash(git add:*)', 'Bash(git commit:*)'];
      const runner = createClaudeRunner({
        sandbox,
        verifyCommands,
        claude: fakeClaudeSettings('', {
          command,
          allowedTools,
          model: 'claude-sonnet-4-5',
          ...claude,
        }),
      });
      return agent.start(runner, { environment, ...input });
    },
  };
}
