import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ActivityKind, CallFacts } from '../../../domain/agent-event.ts';
import type { ToolResult } from '../../../domain/tool.ts';
import type { RunnerMessage } from '../messages.ts';
import type { Git } from './git.ts';
import { loadMemory, type Memory, saveMemory } from './memory.ts';
import { send } from './output.ts';
import { openRepository, type Repository } from './repository.ts';
import { createToolCalls } from './tool-calls.ts';

export type StartMessage = Extract<RunnerMessage, { type: 'start' }>;

/** The agent's side of one session: what it knows and how it speaks. */
export interface Session {
  readonly issue: StartMessage['issue'];
  readonly script: StartMessage['script'];
  readonly tools: readonly string[];
  readonly verify: readonly string[];
  readonly id: string;
  readonly resumed: boolean;
  /** Absolute. */
  readonly workspace: string;
  /** Safe as a file name and as part of a branch name. */
  readonly slug: string;
  readonly repository: Repository | null;
  readonly memory: Memory;
  /** Set once the issue was moved in this session. */
  handedOff: boolean;
  remember(): void;
  /** Reports an activity and pauses; rejects when the turn was interrupted. */
  say(kind: ActivityKind, text: string, call?: CallFacts): Promise<void>;
  /** Reports the session's tokens, with this share (0 to 1) of the current turn used. */
  reportUsage(share: number): Promise<void>;
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  acceptToolResult(id: string, result: ToolResult): void;
  beginTurn(): void;
  interrupt(): void;
  readonly interrupted: boolean;
}

export async function openSession(start: StartMessage, git: Git): Promise<Session> {
  const { issue, script } = start;
  const workspace = process.cwd();
  const slug = slugOf(issue.identifier);
  const resumable = start.resumeSessionId?.startsWith('mock-') ? start.resumeSessionId : null;
  const repository = await openRepository(git, workspace, `mock/${slug}`);
  const memoryPath =
    repository === null
      ? join(workspace, '.aiops', 'mock.json')
      : join(repository.gitDirectory, 'aiops-mock.json');
  const memory = loadMemory(memoryPath, issue.id);
  const toolCalls = createToolCalls();
  let turns = 0;
  let turnAbort = new AbortController();

  return {
    issue,
    script,
    tools: start.tools,
    verify: start.verify,
    id: resumable ?? `mock-${randomUUID()}`,
    resumed: resumable !== null,
    workspace,
    slug,
    repository,
    memory,
    handedOff: false,
    remember: () => saveMemory(memoryPath, issue.id, memory),
    async say(kind, text, call) {
      await send({ type: 'event', event: { type: 'activity', kind, text, ...(call && { call }) } });
      await delay(script.step_ms, undefined, { signal: turnAbort.signal });
    },
    async reportUsage(share) {
      const totalTokens = Math.round((turns - 1 + share) * script.tokens_per_turn);
      const outputTokens = Math.round(totalTokens / 5);
      const usage = { inputTokens: totalTokens - outputTokens, outputTokens, totalTokens };
      await send({ type: 'event', event: { type: 'usage', usage, costUsd: null } });
    },
    callTool: (name, args) => toolCalls.call(name, args, turnAbort.signal),
    acceptToolResult: toolCalls.accept,
    beginTurn() {
      turns += 1;
      turnAbort = new AbortController();
    },
    interrupt: () => turnAbort.abort(),
    get interrupted() {
      return turnAbort.signal.aborted;
    },
  };
}

/** Identifiers may hold slashes, `#` or anything else a tracker allows. */
function slugOf(identifier: string): string {
  const slug = identifier.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '');
  return slug.slice(0, 80) || 'issue';
}
