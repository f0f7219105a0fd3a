import { parsePage } from '../../http/pages/connection.ts';
import type { SurveySource } from '../tracker.ts';
import type { LinearClient } from './client.ts';
import { SURVEY_ISSUES } from './documents.ts';
import { SurveyNode } from './schema.ts';

interface LinearScope {
  readonly projectSlug: string;
  readonly teamKey: string | null;
}

interface SurveyOptions extends LinearScope {
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
}

/** What every listing is limited to. */
export function scopeFilter({ projectSlug, teamKey }: LinearScope) {
  return {
    project: { slugId: { eq: projectSlug } },
    ...(teamKey === null ? {} : { team: { key: { eqIgnoreCase: teamKey } } }),
  };
}

/** The unfinished issues of a project outside of the active states. */
export function createLinearSurvey(client: LinearClient, options: SurveyOptions): SurveySource {
  const states = [...options.activeStates, ...options.terminalStates];
  const filter = {
    ...scopeFilter(options),
    and: states.map((name) => ({ state: { name: { neqIgnoreCase: name } } })),
  };
  return {
    cost: 'request',
    async read(signal) {
      const operation = { document: SURVEY_ISSUES, variables: { filter }, purpose: 'poll', signal } as const;
      const page = parsePage((await client.query(operation))['issues'], 'issues');
      const others = page.nodes.flatMap((entry) => {
        const node = SurveyNode.safeParse(entry);
        return node.success ? [{ ...node.data, state: node.data.state.name }] : [];
      });
      // Linear keeps the list of its states, so none of them is a typing error in an issue.
      return { others, complete: !page.pageInfo.hasNextPage, finished: null, knownStates: null, ignored: [] };
    },
  };
}
