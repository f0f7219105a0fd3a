import { nonBlank } from '../../../config/read/environment.ts';
import { Secret } from '../../../config/resolve/secret.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import { LINEAR_ENDPOINT } from '../../../trackers/linear/from-config.ts';
import { readTeamStates } from '../../../trackers/linear/project-states.ts';
import type { CliIo } from '../../io.ts';
import type { Asking } from '../decide-tracker.ts';
import type { TeamState } from '../team-states.ts';

const ASK_MS = 10_000;

/**
 * The states of the team that a project in Linear belongs to. Null without a token, and when Linear does not answer, which is
 * told: the file then gets the usual states, and the checks say again what is wrong. Throws `usage` for a project that is not there.
 */
export async function readLinearStates(
  { endpoint, projectSlug, tokenVariable }: Parameters<Asking['readTeamStates']>[0],
  { environment, stderr }: Pick<CliIo, 'environment' | 'stderr'>,
): Promise<readonly TeamState[] | null> {
  const token = nonBlank(environment, tokenVariable);
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
    stderr(`Linear was not asked for its states: ${messageOf(error)} The usual ones are written.\n`);
    return null;
  }
}
