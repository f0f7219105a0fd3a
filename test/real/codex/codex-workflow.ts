import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Stage, WorkflowSections } from '../../e2e/cli/stage.ts';
import { openStage } from '../../e2e/cli/worker-harness.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from '../../fakes/model-server/model-server.ts';
import { codexBinary, writeCodexHome } from './codex-stage.ts';

export async function openModel(
  script: (request: ModelRequest, number: number) => ModelReply,
): Promise<ModelServer> {
  const model = await startModelServer(script);
  onTestFinished(() => model.close());
  return model;
}

/** A stage whose workflow drives the real Codex, which talks to the scripted model. */
export async function openCodexWorkflow(model: ModelServer, sections: WorkflowSections = {}): Promise<Stage> {
  const stage = await openStage({
    ...sections,
    agent: {
      default: 'codex-app-server',
      max_concurrent_agents: 2,
      max_retry_backoff_ms: 300,
      ...sections['agent'],
    },
    codex: { command: `${codexBinary} app-server`, read_timeout_ms: 20_000, ...sections['codex'] },
  });
  writeCodexHome(join(stage.directory, 'home'), model.baseUrl);
  return stage;
}
