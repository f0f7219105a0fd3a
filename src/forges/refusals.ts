import { isRecord } from '../domain/is-record.ts';
import type { Repository } from '../domain/repository.ts';
import { ToolRefusal } from '../tools/tool-kit.ts';
import type { NewPullRequest } from './forge.ts';

const MAX_REFUSAL_LENGTH = 600;

export function branchNotPushed({ branch }: NewPullRequest): ToolRefusal {
  return new ToolRefusal(
    'branch_not_pushed',
    `The branch ${branch} is not on the forge yet. Commit your work, push it (branch_push, or git push), then open the pull request.`,
  );
}

export function nothingToReview({ branch, base }: NewPullRequest): ToolRefusal {
  return new ToolRefusal(
    'no_commits',
    `The branch ${branch} on the forge has no commit that ${base} lacks. Commit your work, push it (branch_push, or git push), then try again.`,
  );
}

export function noSuchBase({ base }: NewPullRequest): ToolRefusal {
  return new ToolRefusal('no_such_base', `The forge has no branch ${base} to merge into.`);
}

export function alreadyOpen({ branch, base }: NewPullRequest): ToolRefusal {
  return new ToolRefusal('pull_request_exists', `There is an open pull request from ${branch} into ${base}.`);
}

/** The forge's own words about what it did not accept. */
export function refused(what: string, status: number, answer: unknown): ToolRefusal {
  return new ToolRefusal(
    'forge_refused',
    `The forge refused ${what} (status ${status}): ${wordsOf(answer) || 'it gave no reason'}.`,
  );
}

/** Message and single errors of an answer, in one bounded line. */
export function wordsOf(answer: unknown): string {
  if (!isRecord(answer)) return '';
  const errors = Array.isArray(answer['errors']) ? answer['errors'] : [];
  const words = [answer['message'], ...errors.map(wordOf)];
  const text = words.filter((word) => typeof word === 'string' && word.trim() !== '').join('; ');
  return text.replaceAll(/\s+/g, ' ').slice(0, MAX_REFUSAL_LENGTH).replace(/\.$/, '');
}

function wordOf(error: unknown): unknown {
  if (!isRecord(error)) return error;
  return (
    error['message'] ?? [error['field'], error['code']].filter((part) => typeof part === 'string').join(' ')
  );
}

/** Reviewers by kind, as both forges want them: a team is written `organisation/team`. */
export function reviewersBody(
  reviewers: readonly string[],
  { owner }: Repository,
): { readonly reviewers?: readonly string[]; readonly team_reviewers?: readonly string[] } {
  const people = reviewers.filter((name) => !name.includes('/'));
  const teams = reviewers.filter((name) => name.includes('/'));
  const foreign = teams.find((name) => name.split('/')[0]?.toLowerCase() !== owner.toLowerCase());
  if (foreign !== undefined)
    throw new ToolRefusal(
      'invalid_arguments',
      `${foreign} is not a team of ${owner}, who owns this repository.`,
    );
  const slugs = teams.map((name) => name.slice(name.indexOf('/') + 1));
  return {
    ...(people.length === 0 ? {} : { reviewers: people }),
    ...(slugs.length === 0 ? {} : { team_reviewers: slugs }),
  };
}
