import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createAcpRunner } from '../../../src/runners/acp/runner.ts';
import type { AcpSettings } from '../../../src/runners/acp/settings.ts';
import type { AgentSession, SessionInput } from '../../../src/runners/runner.ts';
import type { Sandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { type AgentFixture, openAgentFixture } from '../../contracts/runner-agent-fixture.ts';
import {
  type GeminiModel,
  type GeminiReply,
  type GeminiRequest,
  startGeminiModel,
} from '../../fakes/acp/gemini-model.ts';
import { fakeAcpSettings } from '../../fakes/acp/settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    geminiProgram: string | null;
    mcpClient: string | null;
  }
}

export const geminiProgram = inject('geminiProgram');
export const geminiCommand = `${geminiProgram} --acp --model gemini-2.5-flash`;
export const never = new AbortController().signal;

export function geminiVariables(baseUrl: string): Record<string, string> {
  return { GEMINI_API_KEY: 'dummy-not-a-key', GOOGLE_GEMINI_BASE_URL: baseUrl };
}

/** A home in which Gemini asks nothing and talks to the model of its environment only. */
export function writeGeminiHome(home: string): void {
  mkdirSync(join(home, '.gemini'), { recursive: true });
  const settings = {
    security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
  };
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
}

/**
 * Dates the conversations back. Gemini names their files by the minute, and one that is loaded in the minute it was begun is
 * overwritten by its own loading.
 */
export function ageConversations(home: string): void {
  const projects = join(home, '.gemini', 'tmp');
  for (const entry of readdirSync(projects, { recursive: true, withFileTypes: true })) {
    if (!entry.name.startsWith('session-')) continue;
    const aged = entry.name.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d/, '2026-01-01T00-00');
    renameSync(join(entry.parentPath, entry.name), join(entry.parentPath, aged));
  }
}

export interface GeminiFixture extends AgentFixture<GeminiModel> {
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string;
  open(
    acp?: Partial<AcpSettings>,
    input?: Partial<SessionInput>,
    sandbox?: Sandbox | null,
  ): Promise<AgentSession>;
}

/** The real program on a workspace of its own; everything ends with the test. */
export async function openGeminiFixture(
  script: (request: GeminiRequest, number: number) => GeminiReply,
): Promise<GeminiFixture> {
  const agent = await openAgentFixture(() => startGeminiModel(script));
  const { fixture, model } = agent;
  const home = join(fixture.root, 'home');
  writeGeminiHome(home);
  const environment = { ...fixture.environment, HOME: home, ...geminiVariables(model.baseUrl) };
  return {
    ...agent,
    environment,
    home,
    async open(acp = {}, input = {}, sandbox = null) {
      const settings = fakeAcpSettings('', { command: geminiCommand, ...acp });
      const runner = createAcpRunner({ acp: settings, sandbox });
      return agent.start(runner, { environment, ...input });
    },
  };
}
