import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Fixture, WorkflowSections } from '../../e2e/cli/fixture.ts';
import { openFixture } from '../../e2e/cli/worker-fixture.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from '../../fakes/model-server/model-server.ts';
import { codexBinary, writeCodexHome } from './codex-fixture.ts';

export async function openModel(
  script: (request: ModelRequest, number: number) => ModelReply,
): Promise<ModelServer> {
  const model = await startModelServer(script);
  onTestFinished(() => model.close());
  return model;
}

/** A fixture whose workflow drives the real Codex, which talks to the scripted model. */
export async function openCodexWorkflow(
  model: ModelServer,
  sections: WorkflowSections = {},
): Promise<Fixture> {
  const fixture = await openFixture({
    ...sections,
    agent: {
      default: 'codex-app-server',
      max_concurrent_agents: 2,
      max_retry_backoff_ms: 300,
      ...sections['agent'],
    },
    codex: { command: `${codexBinary} app-server`, read_timeout_ms: 20_000, ...sections['codex'] },
  });
  writeCodexHome(join(fixture.directory, 'home'), model.baseUrl);
  return fixture;
}
