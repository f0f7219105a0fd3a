import type { AgentProcessOptions } from '../session/agent-process.ts';

const INSTEAD_OF_BYPASS =
  'Claude refuses bypassPermissions as root: run the worker as another user, or set claude.permission_mode to acceptEdits and list what else it may do in claude.allowed_tools.';

/** What a Claude that ends says about itself. */
export const CLAUDE_PROCESS: Pick<AgentProcessOptions, 'howToInstall' | 'hintFor'> = {
  howToInstall:
    'Install Claude Code (npm install -g @anthropic-ai/claude-code), or write its full path into claude.command in WORKFLOW.md.',
  hintFor: (said) => (/root\/sudo/i.test(said) ? INSTEAD_OF_BYPASS : null),
};

export const UNKNOWN_CONVERSATION = /No conversation found/i;
