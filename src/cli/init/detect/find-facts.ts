import { resolve } from 'node:path';
import { type Environment, nonBlank } from '../../../config/read/environment.ts';
import type { Questions } from '../../../trackers/tracker-setup.ts';
import { type InitFlags, TRACKER_NAMES } from '../flags.ts';
import { findAgents } from './agents.ts';
import type { Place } from './ask-program.ts';
import type { Facts, RepositoryFacts } from './facts.ts';
import { findForge } from './forge.ts';
import { type LentToken, readLentToken } from './lent-token.ts';
import { findProject } from './project.ts';
import { findNamedRepository, findOwnRepository } from './repository.ts';

export interface Found {
  readonly facts: Facts;
  /** Only where no variable holds one. Never part of the facts, nor of the file. */
  readonly lent: LentToken | null;
}

/** Looks around, within a few seconds and without changing anything. A repository that is not found is asked for. */
export async function findFacts(
  flags: InitFlags,
  place: Place,
  workflowPath: string,
  questions: Questions | null,
): Promise<Found> {
  const agents = findAgents(place);
  const repository = await findRepository(flags, place, workflowPath, questions);
  const forge = repository === null || flags.offline ? null : await findForge(repository.cloneUrl);
  const variables = setVariables(place.environment);
  const kinds = [forge?.kind ?? '', TRACKER_NAMES.get(flags.tracker ?? '') ?? ''];
  const lent = await readLentToken(kinds, variables, flags.all, place);
  const folder = repository?.folder ?? null;
  const project = folder === null ? { verify: [], setUp: null } : await findProject(folder);
  const facts = { repository, forge, project, variables, agents: await agents };
  return { facts: { ...facts, lender: lent?.kind ?? null }, lent };
}

async function findRepository(
  { repo }: InitFlags,
  place: Place,
  workflowPath: string,
  questions: Questions | null,
): Promise<RepositoryFacts | null> {
  if (repo !== undefined) return findNamedRepository(repo, place, workflowPath);
  const own = await findOwnRepository(place, workflowPath);
  if (own !== null || questions === null) return own;
  const message =
    'This folder is no git repository. Which one shall agents work in? (a path, or an address to clone)';
  const check = (answer: string): string | null => (answer.trim() === '' ? 'Name a repository.' : null);
  const given = (await questions.text(message, '', check)).trim();
  return findNamedRepository(given, { ...place, cwd: resolve(place.cwd) }, workflowPath);
}

function setVariables(environment: Environment): readonly string[] {
  return Object.keys(environment).filter((name) => nonBlank(environment, name) !== null);
}
