import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReachableAgent } from '../../doctor/rules/agent/reachable-agents.ts';
import type { Issue } from '../../domain/issue.ts';
import { silentLogger } from '../../observability/logger.ts';
import { runSettings } from '../../orchestrator/runs/run-settings.ts';
import type { AgentEnvironment } from '../../runners/inspection.ts';
import { createRunner } from '../../runners/registry.ts';

const SAMPLE: Issue = {
  id: 'doctor',
  identifier: 'DOCTOR-1',
  title: 'A look at the agent',
  description: null,
  priority: null,
  state: 'Todo',
  branchName: null,
  url: null,
  assigneeId: null,
  author: null,
  labels: [],
  blockedBy: [],
  dispatchable: true,
  undispatchableReason: null,
  createdAt: null,
  updatedAt: null,
  nativeRef: null,
};

/** Starts the agent as a run would, in an empty folder, and ends it when it has answered. Rejects with why it did not. */
export async function tryAgent(
  { config }: ReachableAgent,
  environment: AgentEnvironment,
  signal: AbortSignal,
): Promise<{ readonly ms: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'aiops-agent-'));
  const begun = performance.now();
  try {
    const settings = runSettings(config);
    const runner = await createRunner(settings.agent.kind, settings);
    const session = await runner.start(
      {
        // Its own: what ends an agent ends everything that carries its run's id, and several are tried at once.
        runId: `doctor-${randomUUID()}`,
        issue: SAMPLE,
        workspacePath: folder,
        environment,
        resumeSessionId: null,
        tools: [],
        callTool: () => Promise.reject(new Error('there is no tool')),
        onEvent() {},
        logger: silentLogger,
      },
      signal,
    );
    await session.stop();
    return { ms: performance.now() - begun };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
