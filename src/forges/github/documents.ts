/** How much of each list one query asks for: far below what GitHub allows, and little where people wrote very much. */
export const SIZES = [
  { reviews: 50, threads: 100, replies: 5, comments: 30 },
  { reviews: 5, threads: 10, replies: 2, comments: 5 },
] as const;

const WRITTEN = 'author { __typename login } authorAssociation body';

export const INSPECT = `query Inspect(
  $owner: String!, $name: String!, $number: Int!,
  $reviews: Int!, $threads: Int!, $replies: Int!, $comments: Int!
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      mergeable
      reviewDecision
      reviewRequests(first: 30) {
        nodes { requestedReviewer { ... on User { login } ... on Mannequin { login } ... on Team { combinedSlug } } }
      }
      reviews(last: $reviews) { totalCount nodes { ${WRITTEN} state submittedAt } }
      reviewThreads(last: $threads) {
        totalCount
        nodes { isResolved isOutdated path line comments(last: $replies) { totalCount nodes { ${WRITTEN} createdAt } } }
      }
      comments(last: $comments) { totalCount nodes { ${WRITTEN} createdAt } }
      commits(last: 1) {
        nodes {
          commit {
            oid
            statusCheckRollup {
              contexts(first: 100) {
                totalCount
                nodes {
                  __typename
                  ... on CheckRun { name status conclusion detailsUrl title summary }
                  ... on StatusContext { context state targetUrl description }
                }
              }
            }
          }
        }
      }
    }
  }
}`;

export const CONVERT_TO_DRAFT = `mutation ConvertToDraft($id: ID!) {
  convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { number isDraft } }
}`;

export const MARK_READY = `mutation MarkReady($id: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { number isDraft } }
}`;
