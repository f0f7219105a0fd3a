import type { Issue } from '../../../domain/issue.ts';
import { type AuthorisedOperation, authoriseOperation } from './graphql/authorise.ts';
import { judgeMutation, type MutationPolicy, type PlannedWrite } from './judge-mutation.ts';
import { judgeQuery } from './judge-query.ts';
import { readPolicy } from './read-policy.ts';

export type AuthorisedRequest = AuthorisedOperation<PlannedWrite>;

/** Reads the whole request; throws a ToolRefusal unless every part of it stays with the run's own issue. */
export function authoriseRequest(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  issue: Issue,
  policy: MutationPolicy,
): AuthorisedRequest {
  return authoriseOperation(query, variables, {
    readable: readPolicy(policy.trust !== null),
    query: (name, values) => judgeQuery(name, values, issue),
    mutation: (name, values) => judgeMutation(name, values, issue, policy),
  });
}
