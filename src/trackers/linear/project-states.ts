import { z } from 'zod';
import type { TrackerConfig } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { createGovernor } from '../../http/budget/governor.ts';
import { silentLogger } from '../../observability/logger.ts';
import { createLinearClient } from './client.ts';

/** The states of the teams of one project: 1 + 20 · 51 objects, far below what Linear allows for a request. */
const PROJECT_STATES = `
  query ProjectStates($filter: ProjectFilter!) {
    projects(filter: $filter, first: 1) {
      nodes { id teams(first: 20) { nodes { key states(first: 50) { nodes { name type position } } } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

const State = z.object({ name: z.string(), type: z.string(), position: z.number() });
type State = z.infer<typeof State>;

const Projects = z.object({
  nodes: z.array(
    z.object({
      teams: z.object({
        nodes: z.array(
          z.object({
            key: z.string(),
            states: z.object({ nodes: z.array(State) }),
          }),
        ),
      }),
    }),
  ),
});

/** `place` is the project, `part` the team that narrows it. */
type Project = Pick<TrackerConfig, 'endpoint' | 'apiKey' | 'place' | 'part'>;

/** Names of the states that issues of the project can be in: those of its teams, or of the one that the workflow names. */
export async function readWorkflowStates(project: Project, signal: AbortSignal): Promise<readonly string[]> {
  return (await readTeamStates(project, signal)).map(({ name }) => name);
}

/** The same with the kind of each, in the order in which the team has them; a name that two teams have comes once. */
export async function readTeamStates(
  { endpoint, apiKey, place: projectSlug, part: teamKey }: Project,
  signal: AbortSignal,
): Promise<readonly { readonly name: string; readonly type: string }[]> {
  if (endpoint === null || apiKey === null || projectSlug === null)
    throw new AppError('invalid_tracker_config', 'linear needs an endpoint, a credential and a project.', {
      hint: 'Set tracker.api_key and tracker.project_slug.',
    });
  const client = createLinearClient({
    endpoint,
    apiKey,
    clock: systemClock,
    logger: silentLogger,
    governor: createGovernor({ clock: systemClock }),
  });
  const data = await client.query({
    document: PROJECT_STATES,
    variables: { filter: { slugId: { eq: projectSlug } } },
    purpose: 'refresh',
    signal,
  });
  const [project] = Projects.parse(data['projects']).nodes;
  if (project === undefined)
    throw new AppError('invalid_tracker_config', `Linear does not show the project ${projectSlug}.`, {
      hint: 'Check tracker.project_slug, and that the credential may see the project.',
    });
  const teams = project.teams.nodes.filter(
    ({ key }) => teamKey === null || key.toLowerCase() === teamKey.toLowerCase(),
  );
  if (teams.length === 0)
    throw new AppError('invalid_tracker_config', `the project ${projectSlug} has no team ${teamKey}.`, {
      hint: `Set tracker.team_key to one of its teams: ${project.teams.nodes.map(({ key }) => key).join(', ')}.`,
    });
  const all = teams.flatMap(({ states }) => states.nodes.toSorted(inOrder));
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

/** The kinds of states as work goes through them; positions count within a kind. */
const KINDS = ['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled'];

function inOrder(one: State, other: State): number {
  return KINDS.indexOf(one.type) - KINDS.indexOf(other.type) || one.position - other.position;
}
