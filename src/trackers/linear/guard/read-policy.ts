import { type ReadPolicy, withoutFields } from './graphql/selections.ts';

type Shape = ReadPolicy['readable'][string];

/** What identifies another issue, and nothing it says. */
const ISSUE_REFERENCE = {
  ...leaves('id identifier number title url priority priorityLabel'),
  state: 'State',
};

/**
 * What an agent may read, by type. Nothing here leads from its issue to the text of another one, to other people's
 * addresses, or to settings of the workspace: what is not named is refused.
 */
const READABLE: ReadPolicy['readable'] = {
  Issue: {
    ...leaves(
      'id identifier number title description url branchName priority priorityLabel estimate dueDate',
    ),
    ...leaves('createdAt updatedAt startedAt completedAt canceledAt archivedAt trashed labelIds'),
    ...leaves('previousIdentifiers sortOrder customerTicketCount'),
    state: 'State',
    team: 'Team',
    project: 'Project',
    cycle: 'Cycle',
    assignee: 'User',
    creator: 'User',
    delegate: 'User',
    labels: 'LabelConnection',
    comments: 'CommentConnection',
    attachments: 'AttachmentConnection',
    parent: 'IssueReference',
    children: 'IssueReferenceConnection',
    relations: 'RelationConnection',
    inverseRelations: 'RelationConnection',
    history: 'HistoryConnection',
  },
  IssueReference: ISSUE_REFERENCE,
  State: leaves('id name type color position description'),
  Team: { ...leaves('id key name description'), states: 'StateConnection', labels: 'LabelConnection' },
  Project: leaves('id name slugId url description state startDate targetDate progress'),
  Cycle: leaves('id number name startsAt endsAt'),
  User: leaves('id name displayName active isMe'),
  Organization: leaves('id name urlKey'),
  Label: { ...leaves('id name color description isGroup'), parent: 'Label' },
  Comment: {
    ...leaves('id body url createdAt updatedAt editedAt resolvedAt quotedText'),
    user: 'User',
    botActor: 'Bot',
    parent: 'Comment',
    children: 'CommentConnection',
    issue: 'IssueReference',
  },
  Bot: leaves('id name type subType'),
  Attachment: { ...leaves('id title subtitle url sourceType metadata createdAt updatedAt'), creator: 'User' },
  Relation: { ...leaves('id type createdAt'), issue: 'IssueReference', relatedIssue: 'IssueReference' },
  History: {
    ...leaves('id createdAt updatedAt fromTitle toTitle fromPriority toPriority'),
    actor: 'User',
    fromState: 'State',
    toState: 'State',
  },
  PageInfo: leaves('hasNextPage hasPreviousPage startCursor endCursor'),
  IssuePayload: { ...leaves('success lastSyncId'), issue: 'Issue' },
  IssueRelationPayload: { ...leaves('success lastSyncId'), issueRelation: 'Relation' },
  CommentPayload: { ...leaves('success lastSyncId'), comment: 'Comment' },
  AttachmentPayload: { ...leaves('success lastSyncId'), attachment: 'Attachment' },
  ...connectionsOf('Issue IssueReference State Team Label Comment Attachment Relation History'.split(' ')),
};

/** What Linear calls these types, where fragments name them. */
const LINEAR_NAMES: Readonly<Record<string, string>> = {
  IssueReference: 'Issue',
  State: 'WorkflowState',
  Label: 'IssueLabel',
  Relation: 'IssueRelation',
  History: 'IssueHistory',
  Bot: 'ActorBot',
};

/** Texts that may be anybody's: with a gate, comments are read by `issue_get` alone, which knows whose they are. */
const TEXTS_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  Comment: ['body', 'quotedText'],
  Attachment: ['title', 'subtitle', 'metadata'],
  IssueReference: ['title'],
  History: ['fromTitle', 'toTitle'],
};

export function readPolicy(guarded: boolean): ReadPolicy {
  return { readable: guarded ? withoutFields(READABLE, TEXTS_OF_OTHERS) : READABLE, nameOf };
}

function nameOf(type: string): string {
  const [, base = type, ending = ''] = /^(.+?)(Connection|Edge)?$/.exec(type) ?? [];
  return `${LINEAR_NAMES[base] ?? base}${ending}`;
}

/** Fields that lead nowhere, by their names. */
export function leaves(names: string): Shape {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'leaf']));
}

/** The `…Connection` and `…Edge` of each type. */
export function connectionsOf(types: readonly string[]): ReadPolicy['readable'] {
  return Object.fromEntries(
    types.flatMap((type): [string, Shape][] => [
      [`${type}Connection`, { nodes: type, edges: `${type}Edge`, pageInfo: 'PageInfo' }],
      [`${type}Edge`, { node: type, cursor: 'leaf' }],
    ]),
  );
}
