import { nonBlank } from '../../../config/read/environment.ts';
import { Secret } from '../../../config/resolve/secret.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import { type PlannedTracker, type PlanRequest, textFlag } from '../../tracker-setup.ts';
import { LINEAR_ENDPOINT } from '../from-config.ts';
import { readTeamStates } from '../project-states.ts';
import { decideStates, type TeamState } from './team-states.ts';

const ASK_MS = 10_000;

export async function planLinear(request: PlanRequest): Promise<PlannedTracker> {
  const projectSlug = await decideProject(request);
  const states = await decideStates(
    request.offline ? null : await readStates(projectSlug, request),
    {
      readyState: textFlag(request.flags, 'readyState'),
      reviewState: textFlag(request.flags, 'reviewState'),
    },
    request.questions,
  );
  return {
    description: `Linear project ${projectSlug}`,
    keys: [{ key: 'project_slug', value: projectSlug }],
    statesComment:
      'Workflow states of the team: the first list is worked on, the second waits for people, the third is finished.',
    states,
    firstIssue: `(move an issue of the project to ${states.ready})`,
  };
}

async function decideProject({ flags, questions }: PlanRequest): Promise<string> {
  const given = textFlag(flags, 'project');
  if (given !== undefined) return linearSlug(given);
  if (questions !== null) {
    const check = (answer: string): string | null =>
      linearSlug(answer) === '' ? 'Paste its address.' : null;
    return linearSlug(await questions.text('Address of the Linear project', '', check));
  }
  throw new AppError('usage', 'Linear needs a project, and none was named.', {
    hint: 'Add --project with the address of the project in Linear, or the last part of it.',
  });
}

/** `https://linear.app/team/project/name-0123abcd/overview` is `name-0123abcd`. */
export function linearSlug(given: string): string {
  return (/\/project\/([^/?#\s]+)/.exec(given)?.[1] ?? given).trim();
}

/**
 * The states of the team that a project in Linear belongs to. Null without a token, and when Linear does not answer, which is
 * told: the file then gets the usual states, and the checks say again what is wrong. Throws `usage` for a project that is not there.
 */
async function readStates(
  projectSlug: string,
  { endpoint, tokenVariable, environment, tell }: PlanRequest,
): Promise<readonly TeamState[] | null> {
  const token = tokenVariable === null ? null : nonBlank(environment, tokenVariable);
  if (token === null) return null;
  const project = {
    endpoint: endpoint ?? LINEAR_ENDPOINT,
    apiKey: new Secret(token),
    place: projectSlug,
    part: null,
  };
  try {
    return await readTeamStates(project, AbortSignal.timeout(ASK_MS));
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_tracker_config')
      throw new AppError('usage', `Linear does not show the project ${projectSlug} to this token.`, {
        hint: `Check --project, and that $${tokenVariable} belongs to a member of its team.`,
        cause: error,
      });
    tell(`Linear was not asked for its states: ${messageOf(error)} The usual ones are written.\n`);
    return null;
  }
}
