import { randomBytes } from 'node:crypto';
import type { PromptInput } from '../prompt/render.ts';
import type { RunSpec } from '../run/protocol.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

/** What a run knows, as the template's renderer wants it. */
export function promptInput(spec: RunSpec, workspace: Workspace): PromptInput {
  const { settings } = spec;
  return {
    template: settings.promptTemplate,
    firstLine: settings.promptLine,
    issue: spec.issue,
    attempt: spec.attempt,
    retryKind: spec.retryKind,
    repo: settings.repo,
    trackerKind: settings.trackerKind,
    policyMode: settings.policy.mode,
    verifyCommands: settings.verify.commands,
    branch: workspace.git?.branch ?? null,
    delimit: settings.prompt.delimit,
    nonce: randomBytes(8).toString('hex'),
  };
}
