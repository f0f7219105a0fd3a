import type { Plan } from '../decide/plan.ts';

/** The body of the file: what the agent is told. The verify commands are added to it by the worker. */
export function renderPrompt(plan: Plan): string {
  const { review, rework } = plan.tracker.states;
  const steps = [
    'You are in a clone of the repository, on a branch that was made for this issue from ' +
      '`{{ repo.default_branch }}`. Stay on it.',
    'Read the code around the change before you touch it. Make the change, with a test where one makes sense.',
    'Commit in small steps, with messages that say why.',
    'Push the branch with `git push`, or with the tool `branch_push`. No account is needed: the worker passes it on, ' +
      'and what the server answers comes back to you.',
    ...pullRequestStep(plan),
    'Leave one comment on the issue with the tool `issue_comment`: what changed, how you checked it, what is open.',
    `Move the issue to \`${review}\` with the tool \`issue_move\`. Do this last: it ends your work.`,
  ];
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  const sentBack =
    rework === null
      ? ''
      : `{% if issue.state == "${rework}" %}
A reviewer sent this back. Read the comments on the issue and on its pull request, and answer each by a change or a reply.
{% endif %}`;
  return `You are working on issue {{ issue.identifier }}: {{ issue.title }}

{{ issue.description | default: "There is no description: the title says it all." }}

How to work:

${numbered}

If the issue cannot be done as it is written, say why in a comment and move it to \`${review}\` without a change.
${sentBack}{% if attempt %}
This is not the first run ({{ retry_kind }}, number {{ attempt }}): go on with what is already on the branch.
{% endif %}
`;
}

function pullRequestStep({ tracker, codeForge }: Plan): readonly string[] {
  const isForge = tracker.repository !== null;
  if (!isForge && codeForge === null) return [];
  const reference = isForge ? 'says "Closes {{ issue.identifier }}"' : 'names {{ issue.identifier }}';
  return [
    `Open a pull request against \`{{ repo.default_branch }}\` with the tool \`pull_request_open\`. Its text ${reference}, ` +
      'what changed and how you checked it. If there is one already, bring it up to date with `pull_request_update`.',
  ];
}
