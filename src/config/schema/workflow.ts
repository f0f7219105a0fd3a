import { z } from 'zod';
import type { Kinds } from '../kinds.ts';
import { agentBlock } from './agent.ts';
import { agentBlocks } from './agent-sections.ts';
import { forgeBlock } from './forge.ts';
import type { Block, BlockSettings } from './key.ts';
import { notificationsBlock } from './notifications.ts';
import { repoBlock } from './repo.ts';
import { sandboxBlock } from './sandbox.ts';
import { serverBlock } from './server.ts';
import {
  journalBlock,
  observabilityBlock,
  policyBlock,
  pollingBlock,
  rescueBlock,
  verifyBlock,
  workerBlock,
} from './service.ts';
import { trackerBlock } from './tracker.ts';
import { promptBlock } from './trust.ts';
import { hooksBlock, workspaceBlock } from './workspace.ts';

/** Blocks whose keys are resolved one by one: adding a key to one of them is all there is to do. */
export const PLAIN_BLOCKS = {
  polling: pollingBlock,
  workspace: workspaceBlock,
  hooks: hooksBlock,
  prompt: promptBlock,
  policy: policyBlock,
  verify: verifyBlock,
  sandbox: sandboxBlock,
  server: serverBlock,
  worker: workerBlock,
  observability: observabilityBlock,
  rescue: rescueBlock,
  journal: journalBlock,
  notifications: notificationsBlock,
};

function coreBlocks(kinds: Kinds) {
  return {
    tracker: trackerBlock(kinds.trackers),
    repo: repoBlock,
    forge: forgeBlock(kinds.forges),
    agent: agentBlock(kinds),
    ...PLAIN_BLOCKS,
  };
}

type CoreBlocks = ReturnType<typeof coreBlocks>;
/** What the keys of the `agent` block resolve to by themselves. */
export type AgentKeySettings = BlockSettings<CoreBlocks['agent']>;
export type AgentBlock = CoreBlocks['agent'];

/** Front matter that has the right types; constant defaults are filled in, nothing else is decided. */
export type WrittenWorkflow = z.output<z.ZodObject<CoreBlocks>>;

/** The front matter as people write it: every key there is with these agents and trackers. */
export interface WorkflowFormat {
  readonly kinds: Kinds;
  readonly schema: z.ZodObject;
  readonly agentBlock: AgentBlock;
  /** The blocks of agents by name. */
  readonly agentBlocks: ReadonlyMap<string, Block>;
}

export function workflowFormat(kinds: Kinds): WorkflowFormat {
  const blocks = agentBlocks(kinds);
  const { tracker, repo, forge, agent, polling, workspace, hooks, ...rest } = coreBlocks(kinds);
  const first = { tracker, repo, forge, polling, workspace, hooks, agent };
  const schema = z.object({ ...first, ...Object.fromEntries(blocks), ...rest });
  return { kinds, schema, agentBlock: agent, agentBlocks: blocks };
}
