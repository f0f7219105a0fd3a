import type { Plan } from '../decide/plan.ts';
import type { Facts } from '../detect/facts.ts';
import { agentNamed, TRACKERS } from '../kinds.ts';

export interface Outcome {
  readonly plan: Plan;
  readonly facts: Facts;
  /** As it is written behind a command: empty for `./WORKFLOW.md`. */
  readonly workflowArgument: string;
  /** True when the labels for states still have to be made. */
  readonly lacksLabels: boolean;
  /** True when there is an issue for the first run already. */
  readonly hasIssue: boolean;
  readonly checksFailed: boolean;
}

/** What a person does next, as the last lines of the command. */
export function describeNextSteps(outcome: Outcome): string {
  const { checksFailed, workflowArgument } = outcome;
  const argument = workflowArgument === '' ? '' : ` ${workflowArgument}`;
  const again = checksFailed ? [`aiops doctor${argument}`, '    after correcting what failed above'] : [];
  const steps = [
    ...signInStep(outcome),
    ...tokenSteps(outcome),
    ...(outcome.lacksLabels ? [labelStep(workflowArgument)] : []),
    ...again,
    ...issueStep(outcome),
    `aiops worker${argument}`,
  ];
  return ['Next:', ...steps.map((step) => `  ${step}`)].join('\n').concat('\n');
}

/** Variables of tokens that the file names. */
export function namedVariables({ tracker, repoTokenVariable }: Plan): readonly string[] {
  return [tracker.tokenVariable, repoTokenVariable].filter((name) => name !== null);
}

/** Those that this shell does not have. */
export function missingVariables(plan: Plan, variables: readonly string[]): readonly string[] {
  return namedVariables(plan).filter((name) => !variables.includes(name));
}

function signInStep({ plan: { agent }, facts: { agents } }: Outcome): readonly string[] {
  const { signIn } = agentNamed(agent);
  const isOut = agents.some(({ id, signedIn }) => id === agent && signedIn === false);
  return isOut && signIn !== undefined ? [signIn] : [];
}

function labelStep(workflowArgument: string): string {
  return `aiops labels sync${workflowArgument === '' ? '' : ` --workflow ${workflowArgument}`}`;
}

const KEEP = '    the file names the variable, not the token; put this line into your ~/.profile to keep it';

function tokenSteps({ plan, facts }: Outcome): readonly string[] {
  return missingVariables(plan, facts.variables).flatMap((name) => {
    const tracker = TRACKERS.find(({ setup }) => setup.token?.variables.includes(name) === true);
    const { lender, page } = tracker?.setup.token ?? {};
    if (lender !== undefined && facts.lender === tracker?.kind)
      return [`export ${name}="$(${[lender.program, ...lender.args].join(' ')})"`, KEEP];
    return [`export ${name}=…`, `    make one at ${page}`, KEEP];
  });
}

function issueStep({ plan: { tracker }, hasIssue, workflowArgument }: Outcome): readonly string[] {
  const { firstIssue } = tracker;
  if (typeof firstIssue === 'string') return [firstIssue];
  const flag = workflowArgument === '' ? '' : ` --workflow ${workflowArgument}`;
  return hasIssue ? [] : [`aiops issue new "What shall be done"${flag}`];
}
