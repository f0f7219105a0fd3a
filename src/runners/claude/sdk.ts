import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { UserMessage } from './connection.ts';
import { AGENT_SDK } from './find-sdk.ts';

/** The part of the Claude Agent SDK that is used here, written down so that nothing needs the package to compile. */
export interface AgentSdk {
  query(params: { readonly prompt: AsyncIterable<UserMessage>; readonly options: SdkOptions }): SdkQuery;
}

/** Iterates over what Claude says; throws at the end when the process failed or its last turn did. */
export interface SdkQuery extends AsyncIterable<unknown> {
  initializationResult(): Promise<unknown>;
  interrupt(options?: { readonly cancelQueued: boolean }): Promise<unknown>;
  /** Frees what the SDK holds, and ends the process if it still runs. */
  close(): void;
}

export interface SdkOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Left out, the program that comes with the SDK is used. */
  readonly pathToClaudeCodeExecutable?: string;
  readonly systemPrompt: { readonly type: 'preset'; readonly preset: 'claude_code' };
  readonly includePartialMessages: true;
  readonly settings?: string;
  readonly permissionMode?: string;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly disallowedTools?: string[];
  readonly resume?: string;
  readonly sessionId?: string;
  /** Options of the command line that the SDK has no name for; null stands for a flag without a value. */
  readonly extraArgs: Readonly<Record<string, string | null>>;
  readonly mcpServers?: Readonly<Record<string, SdkMcpServer>>;
  canUseTool?(name: string, input: Readonly<Record<string, unknown>>): Promise<object>;
  spawnClaudeCodeProcess?(program: SpawnOptions): SpawnedProcess;
}

export interface SdkMcpServer {
  readonly type: 'sdk';
  readonly name: string;
  readonly instance: { connect(transport: McpTransport): Promise<void> };
}

/** Carries the messages between Claude's MCP client and a server in this process. */
export interface McpTransport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
}

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/** What the SDK wants of a process that it did not start itself. */
export interface SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
}

/** Rejects when the package is damaged or of a version that works differently. */
export async function loadAgentSdk(entry: string): Promise<AgentSdk> {
  const loaded: unknown = await import(pathToFileURL(entry).href);
  if (!isAgentSdk(loaded)) throw new Error(`${AGENT_SDK} at ${entry} has no query()`);
  return loaded;
}

function isAgentSdk(value: unknown): value is AgentSdk {
  return typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function';
}
