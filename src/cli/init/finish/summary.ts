import type { Plan } from '../decide/plan.ts';
import type { Facts } from '../detect/facts.ts';
import { agentNamed } from '../kinds.ts';
import { missingVariables, namedVariables } from './next-steps.ts';

/** What the file will say, in a few lines. */
export function describePlan(plan: Plan, facts: Facts): string {
  const agent = agentNamed(plan.agent);
  const rows = [
    ['Repository', `${plan.cloneUrl} (branch ${plan.defaultBranch})`],
    ['Issues', plan.tracker.description],
    ...tokens(plan, facts.variables).map((text) => ['Token', text]),
    ['Agent', agent.command ?? agent.kind.kind],
    ['Verify', plan.verify.length === 0 ? 'nothing; add commands under verify' : plan.verify.join('; ')],
    ...(plan.setUp === null ? [] : [['Set-up', `${plan.setUp}, once in each workspace`]]),
  ];
  return rows.map(([name, text]) => `  ${name?.padEnd(11)}${text}\n`).join('');
}

/** Things worth knowing that are no step to take. */
export function describeNotes(plan: Plan, facts: Facts, isInRepository: boolean): string {
  const { firstIssue } = plan.tracker;
  const notes = [
    ...(facts.repository?.hadCredentials === true
      ? ['The password in the address of the remote was left out of the file.']
      : []),
    ...(isInRepository && typeof firstIssue === 'object'
      ? [
          `Add ${firstIssue.folder}/ to .gitignore if the issues shall not be part of the project. WORKFLOW.md holds no secret and may be committed.`,
        ]
      : []),
  ];
  return notes.map((note) => `Note: ${note}\n`).join('');
}

function tokens(plan: Plan, variables: readonly string[]): readonly string[] {
  const missing = missingVariables(plan, variables);
  return namedVariables(plan).map((name) => `$${name}, ${missing.includes(name) ? 'not set here' : 'set'}`);
}
