const ANALYSIS_ONLY = `## Analysis only

Do not change the repository: no edits, no commits, no push, no pull request. Investigate, then write your findings and a plan to \`.aiops/PLAN.md\`. That file is the only one you may create or change.`;

export interface DirectiveInput {
  readonly policyMode: string;
  readonly verifyCommands: readonly string[];
}

/** What is added after the rendered template. Analysis-only runs change nothing, so there is nothing to verify. */
export function directivesFor({ policyMode, verifyCommands }: DirectiveInput): readonly string[] {
  if (policyMode === 'analysis_only') return [ANALYSIS_ONLY];
  return verifyCommands.length === 0 ? [] : [verification(verifyCommands)];
}

function verification(commands: readonly string[]): string {
  const list = commands.map((command) => {
    const fence = command.includes('`') ? '```' : '`';
    return command.includes('\n')
      ? `- \n\`\`\`\n${command.trim()}\n\`\`\``
      : `- ${fence}${command.trim()}${fence}`;
  });
  return `## Verification

Before you hand over, run each of these in the workspace and make it pass. Report any that you could not make pass, with its output.

${list.join('\n')}`;
}
