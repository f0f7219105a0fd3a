import type { TrackerSettings } from '../../config/kinds.ts';
import { quote } from '../../config/read/problem.ts';
import type { Place } from '../../config/schema/key.ts';
import { block, filledTexts, flag, optional, withDefault } from '../../config/schema/key.ts';
import { readTrackerText, trackerText } from '../../config/schema/tracker.ts';

/** What the `linear_graphql` tool may do. */
export interface LinearMutations {
  readonly allowMutations: boolean;
  readonly allowedMutations: readonly string[];
}

const GRANT = 'codex.linear_graphql.allow_mutations';

const linearGraphql = block(
  {
    allow_mutations: optional(flag, 'Let the Linear tool change the issue of its run, not only read it.', {
      defaultText: '`false`; `true` in the Symphony dialect',
      // Symphony's agents have always moved and commented on their issue this way.
      read: (written, { at }) => written ?? at.dialect === 'symphony',
    }),
    allowed_mutations: withDefault(
      filledTexts,
      [],
      'The only mutations allowed; empty means all that can be bound to the issue of the run. Needs `allow_mutations`.',
      { read: readMutations },
    ),
  },
  'What the `linear_graphql` tool may do.',
);

export const linearTracker: TrackerSettings = {
  kind: 'linear',
  flatKeys: {
    project_slug: trackerText(
      'Linear project whose issues are worked on. Required for linear. `$VAR` allowed.',
      {
        read: readProject,
      },
    ),
    team_key: trackerText('Linear team; narrows the lookup of workflow states by name.'),
  },
  providerKeys: {},
  aliases: {},
  credential: { variable: 'LINEAR_API_KEY', alsoNamed: ['LINEAR_TOKEN'] },
  endpoint: { usual: 'https://api.linear.app/graphql', variable: null },
  assigneeVariable: 'LINEAR_ASSIGNEE',
  inactiveStates: ['Backlog', 'Human Review'],
  maxPages: 200,
  scope: { key: 'project_slug', isFolder: false, part: 'team_key' },
  hasOneAssignee: true,
  keyOfAgents: {
    section: 'codex',
    name: 'linear_graphql',
    key: linearGraphql,
    notInProfiles: 'Use the top-level `codex.linear_graphql`; it governs the tool for every agent.',
  },
};

function readProject(written: string | undefined, place: Place): string | null {
  if ((written ?? '').trim() === '')
    place.at.problem(
      'tracker.project_slug',
      'tracker.project_slug is required for linear',
      "Set it to the last part of the project's address in Linear.",
      'invalid_tracker_config',
    );
  return readTrackerText(written, place);
}

function readMutations(names: readonly string[], { at, key }: Place): readonly string[] {
  const granted = at.valueAt(GRANT) ?? at.dialect === 'symphony';
  if (names.length > 0 && granted !== true)
    at.problem(key, `${key} needs allow_mutations: true`, `Set ${GRANT}, or remove the list.`);
  names.forEach((name, index) => {
    const place = `${key}[${index}]`;
    if (!/^[_A-Za-z]\w*$/.test(name))
      at.problem(
        place,
        `${place} ${quote(name)} is not a GraphQL name`,
        'Write a field name such as issueUpdate.',
      );
    else if (names.indexOf(name) !== index)
      at.problem(place, `${place} repeats ${quote(name)}`, 'Remove the second one.');
  });
  return names;
}
