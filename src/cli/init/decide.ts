import { AppError } from '../../errors/app-error.ts';
import type { Questions } from './ask.ts';
import { agentOptions, TOKEN_VARIABLES, tokenVariable } from './choose.ts';
import { type Asking, decideTracker } from './decide-tracker.ts';
import type { AgentId, Facts, RepositoryFacts } from './facts.ts';
import { type InitFlags, parseAgent } from './flags.ts';
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

async function decideAgent(facts: Facts, flags: InitFlags, questions: Questions | null): Promise<AgentId> {
  const given = parseAgent(flags.agent);
  if (given !== null) return given;
  const options = agentOptions(facts);
  if (questions !== null) return questions.choose('Which agent does the work?', options);
  const [best] = options;
  if (best !== undefined && best.value !== 'mock') return best.value;
  throw new AppError('usage', 'No coding agent was found on the PATH.', {
    hint: 'Install one (`npm install -g @openai/codex` or `npm install -g @anthropic-ai/claude-code`), or add --agent; --agent mock only writes notes, for trying things out.',
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
function codeToken({ kind }: TrackerPlan, { forge, variables, ghSignedIn }: Facts): string | null {
  if (forge === null || kind === forge.kind) return null;
  const isSet = TOKEN_VARIABLES[forge.kind].some((name) => variables.includes(name));
  return isSet || (forge.kind === 'github' && ghSignedIn) ? tokenVariable(forge.kind, variables) : null;
}
