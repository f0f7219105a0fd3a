import type { TrackerConfig } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { createGovernors } from '../../http/budget/governors.ts';
import { invalidSetting, readFlag, secretNames } from '../provider-settings.ts';
import type { Tracker } from '../tracker.ts';
import type { TrackerAdapter, TrackerDependencies } from '../tracker-kind.ts';
import { createLinearTracker } from './adapter.ts';
import { SCOPED_MUTATIONS } from './guard/judge-mutation.ts';
import { readWorkflowStates } from './project-states.ts';
import type { LinearMutations } from './settings.ts';

export const LINEAR_ENDPOINT = 'https://api.linear.app/graphql';
const CANONICAL_VARIABLE = 'LINEAR_API_KEY';
const NO_MUTATIONS: LinearMutations = { allowMutations: false, allowedMutations: [] };

export const linearAdapter: TrackerAdapter = { create: createFromConfig, readStates: readWorkflowStates };

/** The Linear tracker that a workflow describes. */
function createFromConfig(config: TrackerConfig, dependencies: TrackerDependencies): Tracker {
  const { logger, clock = systemClock } = dependencies;
  const { apiKey, apiKeyVariable, place: projectSlug } = config;
  const linearGraphql = (config.forAgents ?? NO_MUTATIONS) as LinearMutations;
  if (apiKey === null || apiKey.reveal() === '') {
    const variable = apiKeyVariable ?? CANONICAL_VARIABLE;
    throw new AppError('missing_tracker_secret', `linear needs a credential: ${variable} is not set.`, {
      hint: `Set ${variable} to an API key of Linear (Settings, Security & access).`,
    });
  }
  if (projectSlug === null) {
    throw invalidSetting(
      'tracker.project_slug is required for linear.',
      "Set it to the last part of the project's address in Linear.",
    );
  }
  const unbound = linearGraphql.allowedMutations.filter((name) => !SCOPED_MUTATIONS.includes(name));
  if (unbound.length > 0) {
    logger.warn('mutations that cannot be bound to one issue stay refused', {
      key: 'codex.linear_graphql.allowed_mutations',
      mutations: unbound,
    });
  }
  const endpoint = config.endpoint ?? LINEAR_ENDPOINT;
  const governors = dependencies.governors ?? createGovernors({ clock });
  return createLinearTracker({
    endpoint,
    apiKey,
    projectSlug,
    teamKey: config.part,
    assignee: config.assignee,
    trust: config.trust,
    activeStates: config.activeStates,
    terminalStates: config.terminalStates,
    inactiveStates: config.inactiveStates,
    allowTerminal: readFlag(config.provider, 'allow_terminal'),
    paginationMaxPages: config.paginationMaxPages,
    mutations: linearGraphql,
    secretEnvironmentNames: secretNames(CANONICAL_VARIABLE, config),
    logger,
    clock,
    governor: governors.of(endpoint, apiKey.reveal()),
  });
}
