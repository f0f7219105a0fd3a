import { isRecord } from '../../domain/is-record.ts';
import type { Repository } from '../../domain/repository.ts';
import { AppError } from '../../errors/app-error.ts';
import { type GraphqlAnswer, postGraphql } from '../../http/graphql.ts';
import type { ApiHttp } from '../../http/request/api-http.ts';
import type { RecordOutcome } from '../forge/reading/forge-reads.ts';

import { parseGraphqlIssue } from './normalize.ts';

/** Issues per request. */
const MAX_ISSUES_PER_REQUEST = 50;
const FIELDS =
  'number title state id databaseId body url createdAt updatedAt authorAssociation author { __typename login } ' +
  'labels(first: 100) { nodes { name } } assignees(first: 20) { nodes { login } }';
/** Fields that old GitHub Enterprise Servers lack. */
const NEW_FIELDS =
  ' fullDatabaseId parent { number repository { nameWithOwner } } subIssuesSummary { total completed }';

/** Fields whose failure leaves the rest of an issue true. */
const DECORATION = ['parent', 'subIssuesSummary'];

type Refresh = (
  numbers: readonly number[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<number, RecordOutcome>>;

/** Reads issues by number, many per request. What the answer does not settle for certain is unknown. */
export function createRefresh(
  http: ApiHttp,
  repository: Repository,
  openBlockers: (number: number) => number | null,
): Refresh {
  let hasNewFields = true;

  async function ask(numbers: readonly number[], signal: AbortSignal): Promise<GraphqlAnswer> {
    const fields = hasNewFields ? `${FIELDS}${NEW_FIELDS}` : FIELDS;
    const issues = numbers.map((number) => `i${number}: issue(number: ${number}) { ...fields }`).join(' ');
    const answer = await postGraphql(http, {
      path: '/graphql',
      query:
        `query IssuesByNumber($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { ${issues} } } ` +
        `fragment fields on Issue { ${fields} }`,
      variables: { owner: repository.owner, name: repository.name },
      purpose: 'refresh',
      signal,
      meter: 'graphql',
      idempotent: true,
    });
    const isOld = answer.data === null && answer.errors.some((error) => /^undefinedField$/i.test(error.code));
    if (!isOld || !hasNewFields) return answer;
    hasNewFields = false;
    return ask(numbers, signal);
  }

  return async (numbers, signal) => {
    const outcomes = new Map<number, RecordOutcome>();
    for (let start = 0; start < numbers.length; start += MAX_ISSUES_PER_REQUEST) {
      const chunk = numbers.slice(start, start + MAX_ISSUES_PER_REQUEST);
      const answer = await ask(chunk, signal);
      const issues = issuesIn(answer, repository);
      for (const number of chunk)
        outcomes.set(number, judge(number, issues, answer, repository, openBlockers));
    }
    return outcomes;
  };
}

function issuesIn(
  { data, errors }: GraphqlAnswer,
  { owner, name }: Repository,
): Readonly<Record<string, unknown>> {
  const issues = data?.['repository'];
  if (isRecord(issues)) return issues;
  const [first] = errors;
  const detail = first === undefined ? '' : `: ${first.message}`;
  throw new AppError('tracker_response', `GitHub did not show the repository ${owner}/${name}${detail}.`, {
    hint: 'Check repo.owner and repo.name, and that the token may read the issues of the repository.',
  });
}

function judge(
  number: number,
  issues: Readonly<Record<string, unknown>>,
  { errors }: GraphqlAnswer,
  repository: Repository,
  openBlockers: (number: number) => number | null,
): RecordOutcome {
  const alias = `i${number}`;
  const own = errors.filter(
    (error) => error.path[1] === alias && !DECORATION.includes(String(error.path[2] ?? '')),
  );
  const json = issues[alias];
  if (json === null && own.length > 0 && own.every((error) => error.code === 'NOT_FOUND')) {
    return { kind: 'absent' };
  }
  const [error] = own;
  if (error !== undefined) return { kind: 'unknown', reason: `GitHub: ${error.message}` };
  const record = json === null || json === undefined ? null : parseGraphqlIssue(json, repository);
  if (record?.number !== number) return { kind: 'unknown', reason: 'GitHub gave no usable issue' };
  return { kind: 'record', record: { ...record, openBlockers: openBlockers(number) } };
}
