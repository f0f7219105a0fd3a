import type { Facts } from './facts.ts';
import { missingVariables } from './next-steps.ts';
import { type Plan, runnerOf, type TrackerPlan } from './plan.ts';

/** What the file will say, in a few lines. */
export function describePlan(plan: Plan, facts: Facts): string {
  const rows = [
    ['Repository', `${plan.cloneUrl} (branch ${plan.defaultBranch})`],
    ['Issues', describeTracker(plan.tracker)],
    ...tokens(plan, facts.variables).map((text) => ['Token', text]),
    ['Agent', runnerOf(plan.agent).acpCommand ?? runnerOf(plan.agent).runner],
    ['Verify', plan.verify.length === 0 ? 'nothing; add commands under verify' : plan.verify.join('; ')],
    ...(plan.setUp === null ? [] : [['Set-up', `${plan.setUp}, once in each workspace`]]),
  ];
  return rows.map(([name, text]) => `  ${name?.padEnd(11)}${text}\n`).join('');
}

/** Things worth knowing that are no step to take. */
export function describeNotes(plan: Plan, facts: Facts, isInRepository: boolean): string {
  const notes = [
    ...(facts.repository?.hadCredentials === true
      ? ['The password in the address of the remote was left out of the file.']
      : []),
    ...(isInRepository && plan.tracker.kind === 'local'
      ? [
          `Add ${plan.tracker.path}/ to .gitignore if the issues shall not be part of the project. WORKFLOW.md holds no secret and may be committed.`,
        ]
      : []),
  ];
  return notes.map((note) => `Note: ${note}\n`).join('');
}

function describeTracker(tracker: TrackerPlan): string {
  if (tracker.kind === 'local') return `files in ${tracker.path}/`;
  if (tracker.kind === 'linear') return `Linear project ${tracker.projectSlug}`;
  const place = tracker.endpoint === null ? '' : ` at ${tracker.endpoint}`;
  return `${tracker.kind === 'github' ? 'GitHub' : 'Gitea or Forgejo'} ${tracker.owner}/${tracker.name}${place}`;
}

function tokens(plan: Plan, variables: readonly string[]): readonly string[] {
  const missing = missingVariables(plan, variables);
  const names = [plan.tracker.kind === 'local' ? null : plan.tracker.tokenVariable, plan.repoTokenVariable];
  return names
    .filter((name) => name !== null)
    .map((name) => `$${name}, ${missing.includes(name) ? 'not set here' : 'set'}`);
}
