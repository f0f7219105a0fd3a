import { AppError } from '../../../errors/app-error.ts';
import type { Asking, Questions } from '../../../trackers/tracker-setup.ts';
import type { Facts, RepositoryFacts } from '../detect/facts.ts';
import { type InitFlags, parseAgent } from '../flags.ts';
import { AGENTS, isBuiltIn } from '../kinds.ts';
import { agentOptions, hasToken, tokenVariable } from './choose.ts';
import { decideTracker } from './decide-tracker.ts';
import { type Plan, passedVariables, type TrackerPlan } from './plan.ts';

/** From what was found, the command line and the answers to one plan; nothing is written. */
export async function decidePlan(
  facts: Facts,
  flags: InitFlags,
  asking: Asking,
  schema: string,
): Promise<Plan> {
  const { questions } = asking;
  const { repository } = facts;
  if (repository === null) throw noRepository();
  if (repository.hasCommits === false) throw noCommits(repository);
  const tracker = await decideTracker(facts, repository, flags, asking);
  const agent = await decideAgent(facts, flags, questions);
  const verify = await decideVerify(facts, flags, questions);
  const token = codeToken(tracker, facts);
  return {
    tracker,
    cloneUrl: repository.cloneUrl,
    defaultBranch: flags.branch ?? repository.defaultBranch ?? 'main',
    codeForge: token === null ? null : facts.forge,
    repoTokenVariable: token,
    agent,
    passedVariables: passedVariables(agent, facts.variables),
    verify,
    setUp: verify.length === 0 ? null : facts.project.setUp,
    schema,
  };
}

export function noRepository(): AppError {
  return new AppError('usage', 'There is no git repository here for agents to work in.', {
    hint: 'Run `aiops init` inside of one, or add --repo with the path of a repository or the address to clone.',
  });
}

function noCommits({ cloneUrl }: RepositoryFacts): AppError {
  return new AppError('usage', `The repository ${cloneUrl} has no commit yet.`, {
    hint: 'Make a first one, such as `git commit --allow-empty -m "Begin"`, then run `aiops init` again.',
  });
}

async function decideAgent(facts: Facts, flags: InitFlags, questions: Questions | null): Promise<string> {
  const given = parseAgent(flags.agent);
  if (given !== null) return given;
  const options = agentOptions(facts);
  if (questions !== null) return questions.choose('Which agent does the work?', options);
  const [best] = options;
  if (best !== undefined && facts.agents.length > 0) return best.value;
  const installs = AGENTS.flatMap(({ install }) => (install === undefined ? [] : [`\`${install}\``]));
  const builtIn = AGENTS.filter(isBuiltIn).map(({ name, remark }) => `--agent ${name} ${remark}`);
  throw new AppError('usage', 'No coding agent was found on the PATH.', {
    hint: `Install one (${installs.join(' or ')}), or add --agent; ${builtIn.join('; ')}.`,
  });
}

async function decideVerify(
  { project }: Facts,
  { verify }: InitFlags,
  questions: Questions | null,
): Promise<readonly string[]> {
  if (verify === false) return [];
  if (verify !== undefined)
    return verify.map((command) => command.trim()).filter((command) => command !== '');
  if (questions === null) return project.verify;
  const message = 'Which commands must a change pass? (several: separate them by ;  none: leave it empty)';
  const answer = await questions.text(message, project.verify.join('; '), () => null);
  return answer
    .split(';')
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** The variable for pushes and pull requests where the issues are not on the forge that holds the code; null without one. */
function codeToken({ kind }: TrackerPlan, facts: Facts): string | null {
  const { forge, variables } = facts;
  if (forge === null || kind === forge.kind || !hasToken(forge.kind, facts)) return null;
  return tokenVariable(forge.kind, variables);
}
