import { AppError } from '../../errors/app-error.ts';
import { parseRemote } from './address.ts';
import type { Questions } from './ask.ts';
import { tokenVariable, trackerOptions } from './choose.ts';
import type { Facts, ForgeFacts, RepositoryFacts, TrackerChoice } from './facts.ts';
import { type InitFlags, parseTracker } from './flags.ts';
import type { TrackerPlan } from './plan.ts';
import { decideStates, type TeamState } from './team-states.ts';

/** Who can be asked while it is decided. */
export interface Asking {
  /** A person; null when there is none. */
  readonly questions: Questions | null;
  /** The states of the team of a project in Linear; null when Linear does not tell. */
  readTeamStates(
    project: Pick<TrackerPlan & { kind: 'linear' }, 'endpoint' | 'projectSlug' | 'tokenVariable'>,
  ): Promise<readonly TeamState[] | null>;
}

/** Where the issues are. Throws `usage`, with the flag to give, for what nobody said and nobody can be asked. */
export async function decideTracker(
  facts: Facts,
  repository: RepositoryFacts,
  flags: InitFlags,
  { questions, readTeamStates }: Asking,
): Promise<TrackerPlan> {
  const options = trackerOptions(facts);
  const kind =
    parseTracker(flags.tracker) ??
    (await questions?.choose('Where are your issues?', options)) ??
    options[0]?.value ??
    'local';
  if (kind === 'local') return { kind, path: flags.issues ?? 'issues' };
  const variable = tokenVariable(kind, facts.variables) ?? '';
  if (kind === 'linear') {
    const projectSlug = await decideProject(flags, questions);
    const endpoint = flags.endpoint === undefined ? null : webAddress(flags.endpoint);
    const there = await readTeamStates({ endpoint, projectSlug, tokenVariable: variable });
    const states = await decideStates(there, flags, questions);
    return { kind, endpoint, projectSlug, tokenVariable: variable, states };
  }
  const forge = forgeOf(kind, facts.forge, repository, flags);
  return { ...forge, kind, tokenVariable: variable };
}

async function decideProject(flags: InitFlags, questions: Questions | null): Promise<string> {
  if (flags.project !== undefined) return linearSlug(flags.project);
  if (questions !== null) {
    const complain = (answer: string): string | null =>
      linearSlug(answer) === '' ? 'Paste its address.' : null;
    return linearSlug(await questions.text('Address of the Linear project', '', complain));
  }
  throw new AppError('usage', 'Linear needs a project, and none was named.', {
    hint: 'Add --project with the address of the project in Linear, or the last part of it.',
  });
}

/** `https://linear.app/team/project/name-0123abcd/overview` is `name-0123abcd`. */
export function linearSlug(given: string): string {
  return (/\/project\/([^/?#\s]+)/.exec(given)?.[1] ?? given).trim();
}

/** The forge that was found, or what the flags make of the repository's address. */
function forgeOf(
  kind: Extract<TrackerChoice, 'github' | 'gitea'>,
  found: ForgeFacts | null,
  { cloneUrl }: RepositoryFacts,
  flags: InitFlags,
): Pick<ForgeFacts, 'endpoint' | 'owner' | 'name'> {
  const remote = parseRemote(cloneUrl);
  const { owner, name } = ownerAndName(kind, flags.project) ?? remote ?? missingProject(kind);
  if (flags.endpoint !== undefined) return { endpoint: webAddress(flags.endpoint), owner, name };
  if (found?.kind === kind) return { endpoint: found.endpoint, owner, name };
  if (remote === null) {
    if (kind === 'github') return { endpoint: null, owner, name };
    throw new AppError('usage', 'The address of the Gitea or Forgejo server is not known.', {
      hint: 'Add --endpoint with it, such as --endpoint https://git.example.org.',
    });
  }
  const endpoint = kind === 'gitea' ? remote.origin : `${remote.origin}/api/v3`;
  return { endpoint: remote.host === 'github.com' && kind === 'github' ? null : endpoint, owner, name };
}

function ownerAndName(kind: string, given: string | undefined): Pick<ForgeFacts, 'owner' | 'name'> | null {
  if (given === undefined) return null;
  const [, owner, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(given.trim()) ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  throw new AppError('usage', `--project ${JSON.stringify(given)} is no repository of ${kind}.`, {
    hint: 'Write it as owner/name.',
  });
}

function missingProject(kind: string): never {
  throw new AppError('usage', `The address of the repository does not say whose issues of ${kind} to read.`, {
    hint: 'Add --project owner/name.',
  });
}

function webAddress(given: string): string {
  if (URL.canParse(given) && /^https?:\/\//i.test(given)) return given.replace(/\/+$/, '');
  throw new AppError('usage', `--endpoint ${JSON.stringify(given)} is no http or https address.`, {
    hint: 'Write it like https://git.example.org.',
  });
}
