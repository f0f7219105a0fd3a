import type { TrustRules } from '../../domain/trust.ts';
import type { Tracker } from '../tracker.ts';
import { createLinearClient, type LinearConnection } from './client.ts';
import type { MutationPolicy } from './guard/judge-mutation.ts';
import { createLinearReader, IDS_PER_REQUEST } from './reader.ts';
import { createLinearSurvey } from './survey.ts';
import { createLinearTools } from './tools.ts';

export interface LinearTrackerOptions extends LinearConnection {
  /** Last part of the project's address. */
  readonly projectSlug: string;
  readonly teamKey: string | null;
  /** A user id, an email address, a display name, or `me`; null for anybody. */
  readonly assignee: string | null;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  /** Whether an agent may move its issue into a terminal state. */
  readonly allowTerminal: boolean;
  /** 0 means 200. */
  readonly paginationMaxPages: number;
  /** What `linear_graphql` may change. */
  readonly mutations: Omit<MutationPolicy, 'trust'>;
  /** Whose texts may reach an agent; null, the default, means everybody's. */
  readonly trust?: TrustRules | null;
  readonly secretEnvironmentNames: readonly string[];
}

const DEFAULT_PAGES = 200;

/** A project of Linear as a tracker. See docs/trackers/linear.md. */
export function createLinearTracker(options: LinearTrackerOptions): Tracker {
  const { governor, trust = null } = options;
  const client = createLinearClient(options);
  const reader = createLinearReader({
    ...options,
    client,
    maxPages: options.paginationMaxPages > 0 ? options.paginationMaxPages : DEFAULT_PAGES,
  });
  return {
    kind: 'linear',
    budget: governor,
    idsPerRequest: IDS_PER_REQUEST,
    async fetchIssuesByStates(states, signal) {
      if (states.length === 0) return [];
      governor.beginPoll();
      return reader.byStates(states, signal);
    },
    async fetchIssuesByIds(ids, signal) {
      return ids.length === 0 ? new Map() : reader.byIds(ids, signal);
    },
    survey: createLinearSurvey(client, options),
    tools: createLinearTools({
      ...options,
      client,
      trust,
      rule: {
        active: options.activeStates,
        terminal: options.terminalStates,
        inactive: options.inactiveStates,
        allowTerminal: options.allowTerminal,
      },
      policy: { ...options.mutations, trust },
    }),
    changes: null,
  };
}
