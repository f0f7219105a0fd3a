import { randomBytes } from 'node:crypto';
import type { Issue } from '../../domain/issue.ts';
import type { PromptInput } from '../../prompt/render.ts';
import { visibleText } from '../../prompt/visible-text.ts';
import type { RunSpec } from '../../run/protocol.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';

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

/** The issue as the files of a workspace show it to the agent. */
export function shownIssue({ issue, settings }: Pick<RunSpec, 'issue' | 'settings'>): Issue {
  const { title, description } = issue;
  if (!settings.prompt.delimit) return issue;
  return {
    ...issue,
    title: visibleText(title),
    description: description === null ? null : visibleText(description),
  };
}
