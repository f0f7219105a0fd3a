import { TOKEN_VARIABLES } from './choose.ts';
import type { Facts } from './facts.ts';
import type { Plan } from './plan.ts';
import { statesOf } from './states.ts';

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

const TOKEN_PAGES: Readonly<Record<string, string>> = {
  github: 'https://github.com/settings/tokens (issues, pull requests and contents: read and write)',
  gitea: 'Settings > Applications on your server (issues and repository: read and write)',
  linear: 'Settings > Security & access > Personal API keys in Linear',
};

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

/** Variables that the file names and this shell does not have. */
export function missingVariables(
  { tracker, repoTokenVariable }: Plan,
  variables: readonly string[],
): readonly string[] {
  const named = [tracker.kind === 'local' ? null : tracker.tokenVariable, repoTokenVariable];
  return named.filter((name) => name !== null).filter((name) => !variables.includes(name));
}

const SIGN_IN: Readonly<Record<string, string>> = { codex: 'codex login', claude: 'claude auth login' };

function signInStep({ plan: { agent }, facts: { agents } }: Outcome): readonly string[] {
  const command = SIGN_IN[agent];
  const isOut = agents.some(({ id, signedIn }) => id === agent && signedIn === false);
  return isOut && command !== undefined ? [command] : [];
}

function labelStep(workflowArgument: string): string {
  return `aiops labels sync${workflowArgument === '' ? '' : ` --workflow ${workflowArgument}`}`;
}

function tokenSteps({ plan, facts }: Outcome): readonly string[] {
  return missingVariables(plan, facts.variables).flatMap((name) => {
    if (facts.ghSignedIn && TOKEN_VARIABLES.github.includes(name)) {
      return [
        `export ${name}="$(gh auth token)"`,
        '    the file names the variable, not the token; put this line into your ~/.profile to keep it',
      ];
    }
    const page = Object.entries(TOKEN_VARIABLES).find(([, names]) => names.includes(name))?.[0] ?? '';
    return [
      `export ${name}=…`,
      `    make one at ${TOKEN_PAGES[page]}`,
      '    the file names the variable, not the token; put this line into your ~/.profile to keep it',
    ];
  });
}

function issueStep({ plan: { tracker }, hasIssue, workflowArgument }: Outcome): readonly string[] {
  const { ready } = statesOf(tracker);
  if (tracker.kind === 'local') {
    const flag = workflowArgument === '' ? '' : ` --workflow ${workflowArgument}`;
    return hasIssue ? [] : [`aiops issue new "What shall be done"${flag}`];
  }
  if (tracker.kind === 'linear') return [`(move an issue of the project to ${ready})`];
  return [`(put the label ${tracker.kind === 'github' ? ready : 'aiops/todo'} on an issue)`];
}
