import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createCodexRunner } from '../../../src/runners/codex/runner.ts';
import type { CodexSettings } from '../../../src/runners/codex/settings.ts';
import type { AgentSession, SessionInput } from '../../../src/runners/runner.ts';
import type { Sandbox } from '../../../src/runners/sandbox/sandbox.ts';
import { type AgentFixture, openAgentFixture } from '../../contracts/runner-agent-fixture.ts';
import { processesOfRun } from '../../contracts/runner-fixture.ts';
import { fakeCodexSettings } from '../../fakes/codex/settings.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from '../../fakes/model-server/model-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    codexBinary: string | null;
  }
}

export const codexBinary = inject('codexBinary');
export const never = new AbortController().signal;

/** A home for Codex that talks to the scripted model and to nobody else. */
export function writeCodexHome(home: string, baseUrl: string, model = 'fake-model'): string {
  const codexHome = join(home, '.codex');
  mkdirSync(codexHome, { recursive: true });
  const config = `model = "${model}"
model_provider = "fake"
[model_providers.fake]
name = "Fake"
base_url = "${baseUrl}"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[analytics]
enabled = false
[features]
plugins = false
[feedback]
enabled = false
`;
  writeFileSync(join(codexHome, 'config.toml'), config);
  return codexHome;
}

export interface CodexFixture extends AgentFixture<ModelServer> {
  open(
    codex?: Partial<CodexSettings>,
    input?: Partial<SessionInput>,
    sandbox?: Sandbox | null,
  ): Promise<AgentSession>;
  readonly environment: Readonly<Record<string, string>>;
  /** Waits until nothing of the run is alive; answers what is. */
  survivors(): Promise<number[]>;
}

/** The real program on a workspace of its own; everything ends with the test. */
export async function openCodexFixture(
  script: (request: ModelRequest, number: number) => ModelReply,
  model?: string,
): Promise<CodexFixture> {
  const agent = await openAgentFixture(() => startModelServer(script));
  const { fixture, model: server } = agent;
  const home = join(fixture.root, 'home');
  writeCodexHome(home, server.baseUrl, model);
  mkdirSync(join(fixture.root, 'tmp'));
  const environment = { ...fixture.environment, HOME: home, TMPDIR: join(fixture.root, 'tmp') };
  return {
    ...agent,
    environment,
    async open(codex = {}, input = {}, sandbox = null) {
      const command = `${codexBinary ?? 'codex'} app-server`;
      const runner = createCodexRunner({ codex: fakeCodexSettings('', { command, ...codex }), sandbox });
      return agent.start(runner, { environment, ...input });
    },
    async survivors() {
      const deadline = Date.now() + 5_000;
      while (processesOfRun(fixture.runId).length > 0 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return processesOfRun(fixture.runId);
    },
  };
}

/** What the model was told about the outcome of its last call. */
export function lastOutput({ body }: ModelRequest): string {
  const items = Array.isArray(body['input']) ? body['input'] : [];
  const outputs = items.filter((item) => /call_output$/.test(item.type));
  const last = outputs.at(-1)?.output;
  return typeof last === 'string' ? last : JSON.stringify(last);
}
