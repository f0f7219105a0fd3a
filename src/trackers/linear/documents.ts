/**
 * Every operation sent to Linear. A test checks each against the published schema. Page sizes keep the dearest one well
 * below Linear's limit of 10,000 points: each object costs 1, each field 0.1, and a connection multiplies by its size.
 */
const ISSUE_FIELDS = `
  fragment IssueFields on Issue {
    id identifier title description priority branchName url createdAt updatedAt archivedAt trashed integrationSourceType
    creator { id email }
    state { id name type }
    assignee { id displayName email isMe }
    team { id key }
    project { id slugId }
    labels(first: 20) { nodes { name } pageInfo { hasNextPage endCursor } }
    inverseRelations(first: 5) { nodes { ...BlockerFields } pageInfo { hasNextPage endCursor } }
  }
`;
const BLOCKER_FIELDS = `
  fragment BlockerFields on IssueRelation { type issue { id identifier state { name type } } }
`;

export const LIST_ISSUES = `
  query ListIssues($filter: IssueFilter!, $after: String) {
    issues(filter: $filter, first: 50, after: $after, sort: [{ createdAt: { order: Ascending } }]) {
      nodes { ...IssueFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${ISSUE_FIELDS}
  ${BLOCKER_FIELDS}
`;

/** At most 50 ids; archived issues included, so that a finished issue is seen as finished and not as gone. */
export const ISSUES_BY_IDS = `
  query IssuesByIds($filter: IssueFilter!) {
    issues(filter: $filter, first: 50, includeArchived: true) {
      nodes { ...IssueFields }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${ISSUE_FIELDS}
  ${BLOCKER_FIELDS}
`;

/** The first of the issues in other states, with no more than people need to know of them. */
export const SURVEY_ISSUES = `
  query SurveyIssues($filter: IssueFilter!) {
    issues(filter: $filter, first: 100, sort: [{ createdAt: { order: Ascending } }]) {
      nodes { id identifier state { name } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

export const FIND_PROJECT = `
  query FindProject($filter: ProjectFilter!) {
    projects(filter: $filter, first: 1) { nodes { id } pageInfo { hasNextPage endCursor } }
  }
`;

export const MORE_BLOCKERS = `
  query MoreBlockers($id: String!, $after: String) {
    issue(id: $id) {
      inverseRelations(first: 50, after: $after) { nodes { ...BlockerFields } pageInfo { hasNextPage endCursor } }
    }
  }
  ${BLOCKER_FIELDS}
`;

export const MORE_LABELS = `
  query MoreLabels($id: String!, $after: String) {
    issue(id: $id) { labels(first: 100, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }
  }
`;

/** What a tool must know before it changes anything. */
export const OWN_ISSUE = `
  query OwnIssue($id: String!) {
    issue(id: $id) {
      ...IssueFields
      team { states(first: 100) { nodes { id name type } } }
      comments(first: 50, orderBy: createdAt) { nodes { id body createdAt user { id email displayName isMe } botActor { id name } } }
      attachments(first: 50) { nodes { title url } }
    }
  }
  ${ISSUE_FIELDS}
  ${BLOCKER_FIELDS}
`;

export const OWN_STATE = `
  query OwnState($id: String!) {
    issue(id: $id) {
      id identifier archivedAt trashed
      state { id name type }
      project { slugId }
      team { id key states(first: 100) { nodes { id name type } } }
    }
  }
`;

export const ISSUE_COMMENTS = `
  query IssueComments($id: String!, $after: String) {
    issue(id: $id) {
      comments(first: 50, after: $after) {
        nodes { id body user { isMe } botActor { id } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`;

export const COMMENT_OWNER = `
  query CommentOwner($id: String!) {
    comment(id: $id) { id issue { id } user { isMe } botActor { id } }
  }
`;

export const MOVE_ISSUE = `
  mutation MoveIssue($id: String!, $stateId: String!) {
    issueUpdate(id: $id, input: { stateId: $stateId }) { success issue { id state { id name } } }
  }
`;

export const CREATE_COMMENT = `
  mutation CreateComment($issueId: String!, $body: String!) {
    commentCreate(input: { issueId: $issueId, body: $body }) { success comment { id url } }
  }
`;

export const UPDATE_COMMENT = `
  mutation UpdateComment($id: String!, $body: String!) {
    commentUpdate(id: $id, input: { body: $body }) { success comment { id url } }
  }
`;

export const LINK_URL = `
  mutation LinkUrl($issueId: String!, $url: String!, $title: String) {
    attachmentLinkURL(issueId: $issueId, url: $url, title: $title) { success attachment { id url } }
  }
`;
