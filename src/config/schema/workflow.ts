import { z } from 'zod';
import { acpBlock } from './acp.ts';
import { agentBlock } from './agent.ts';
import { claudeBlock } from './claude.ts';
import { codexBlock } from './codex.ts';
import { forgeBlock } from './forge.ts';
import { repoBlock } from './repo.ts';
import { sandboxBlock } from './sandbox.ts';
import {
  journalBlock,
  notificationsBlock,
  observabilityBlock,
  policyBlock,
  pollingBlock,
  rescueBlock,
  serverBlock,
  verifyBlock,
  workerBlock,
} from './service.ts';
import { trackerBlock } from './tracker.ts';
import { promptBlock } from './trust.ts';
import { hooksBlock, workspaceBlock } from './workspace.ts';

/** The front matter as people write it: every key, its type, default and description. */
export const workflowSchema = z.object({
  tracker: trackerBlock,
  repo: repoBlock,
  forge: forgeBlock,
  polling: pollingBlock,
  workspace: workspaceBlock,
  hooks: hooksBlock,
  agent: agentBlock,
  codex: codexBlock,
  claude: claudeBlock,
  acp: acpBlock,
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
});

/** Front matter that has the right types; constant defaults are filled in, nothing else is decided. */
export type WrittenWorkflow = z.output<typeof workflowSchema>;
