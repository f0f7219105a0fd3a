import { isRecord } from '../../../domain/is-record.ts';
import type { Issue } from '../../../domain/issue.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { inputOf, optionalText, requiredText, type Values, webAddress } from './graphql/values.ts';
import { judgeIssueCreate, judgeRelation } from './judge-follow-ups.ts';
import { isOwnIssue } from './own-issue.ts';

export interface MutationPolicy {
  readonly allowMutations: boolean;
  /** Empty means every mutation that can be bound to the run's issue. */
  readonly allowedMutations: readonly string[];
  /** Labels that vouch for an issue are a person's; a request names labels by id, so that then all of them are. */
  readonly trust: TrustRules | null;
}

/** What a permitted mutation is about to do; the caller looks up what the request alone cannot tell. */
export type PlannedWrite =
  /** Refused when a person closed the issue; with `stateId`, also when it would take up work a person stopped. */
  | { readonly kind: 'update'; readonly stateId: string | null }
  | { readonly kind: 'comment'; readonly parentId: string | null }
  /** Refused unless the comment is the worker's own, on this issue. */
  | { readonly kind: 'edit_comment'; readonly commentId: string }
  | { readonly kind: 'link'; readonly url: string }
  /** A new issue; refused in a state that would start work on it. */
  | { readonly kind: 'follow_up'; readonly stateId: string }
  /** Refused unless the other issue was filed for this one. */
  | { readonly kind: 'relate'; readonly followUp: string };

interface Judgement {
  readonly payload: string;
  readonly write: PlannedWrite;
}

interface MutationRule {
  readonly takes: readonly string[];
  readonly payload: string;
  judge(values: Values, issue: Issue): PlannedWrite;
}

/** Parts of an issue an agent may write. Scope, people, dates and the bin are a person's. */
const ISSUE_KEYS = 'stateId title description priority estimate labelIds addedLabelIds removedLabelIds'.split(
  ' ',
);
const COMMENT_KEYS = ['issueId', 'body', 'parentId', 'quotedText', 'doNotSubscribeToIssue'];
const ATTACHMENT_KEYS = ['issueId', 'title', 'subtitle', 'url', 'metadata', 'groupBySource', 'commentBody'];

const MUTATIONS: Readonly<Record<string, MutationRule>> = {
  issueUpdate: {
    takes: ['id', 'input'],
    payload: 'IssuePayload',
    judge(values, issue) {
      assertOwn(values.get('id'), issue);
      const input = inputOf(values, ISSUE_KEYS, 'unsupported_issue_update_shape');
      if (Object.keys(input).length === 0)
        throw shape('issueUpdate needs an input with something to change.');
      return { kind: 'update', stateId: optionalText(input['stateId'], 'stateId') };
    },
  },
  issueAddLabel: labelRule(),
  issueRemoveLabel: labelRule(),
  commentCreate: {
    takes: ['input'],
    payload: 'CommentPayload',
    judge(values, issue) {
      const input = inputOf(values, COMMENT_KEYS, 'argument_not_allowed');
      assertOwn(input['issueId'], issue);
      return { kind: 'comment', parentId: optionalText(input['parentId'], 'parentId') };
    },
  },
  commentUpdate: {
    takes: ['id', 'input'],
    payload: 'CommentPayload',
    judge(values) {
      inputOf(values, ['body'], 'argument_not_allowed');
      return { kind: 'edit_comment', commentId: requiredText(values.get('id'), 'id') };
    },
  },
  attachmentCreate: {
    takes: ['input'],
    payload: 'AttachmentPayload',
    judge(values, issue) {
      const input = inputOf(values, ATTACHMENT_KEYS, 'argument_not_allowed');
      assertOwn(input['issueId'], issue);
      return { kind: 'link', url: webAddress(input['url']) };
    },
  },
  attachmentLinkURL: linkRule(['issueId', 'url', 'title']),
  attachmentLinkGitHubPR: linkRule(['issueId', 'url', 'title', 'linkKind']),
  attachmentLinkGitLabMR: linkRule(['issueId', 'url', 'title', 'number', 'projectPathWithNamespace']),
  issueCreate: { takes: ['input'], payload: 'IssuePayload', judge: judgeIssueCreate },
  issueRelationCreate: { takes: ['input'], payload: 'IssueRelationPayload', judge: judgeRelation },
};
/** What an agent files is written by the key's owner: where authors are judged, the operator has to ask for it. */
const NAMED_UNDER_TRUST = ['issueCreate', 'issueRelationCreate'];

/** Mutations that can be bound to one issue; no setting makes others available. */
export const SCOPED_MUTATIONS: readonly string[] = Object.keys(MUTATIONS);

export function judgeMutation(name: string, values: Values, issue: Issue, policy: MutationPolicy): Judgement {
  if (!policy.allowMutations) {
    throw new ToolRefusal(
      'mutations_not_allowed',
      'Mutations are off (codex.linear_graphql.allow_mutations). Use issue_move, issue_comment or pr_link.',
    );
  }
  const rule = Object.hasOwn(MUTATIONS, name) ? MUTATIONS[name] : undefined;
  const { allowedMutations, trust } = policy;
  const allowed = SCOPED_MUTATIONS.filter((known) =>
    allowedMutations.length === 0
      ? trust === null || !NAMED_UNDER_TRUST.includes(known)
      : allowedMutations.includes(known),
  );
  if (rule === undefined || !allowed.includes(name)) {
    throw new ToolRefusal(
      'mutation_not_allowed',
      `The mutation ${name} is not available here. Available: ${allowed.join(', ') || 'none'}.`,
    );
  }
  for (const argument of values.keys()) {
    if (!rule.takes.includes(argument))
      throw new ToolRefusal('argument_not_allowed', `${name} does not take ${argument} here.`);
  }
  const write = rule.judge(values, issue);
  if (policy.trust !== null && policy.trust.labels.length > 0 && changesLabels(name, values))
    throw new ToolRefusal(
      'label_not_allowed',
      'Labels vouch for issues here; only a person may change them.',
    );
  return { payload: rule.payload, write };
}

function changesLabels(name: string, values: Values): boolean {
  const input = values.get('input');
  const keys = isRecord(input) ? Object.keys(input) : [];
  return [name, ...keys].some((word) => /label/i.test(word));
}

function labelRule(): MutationRule {
  return {
    takes: ['id', 'labelId'],
    payload: 'IssuePayload',
    judge(values, issue) {
      assertOwn(values.get('id'), issue);
      requiredText(values.get('labelId'), 'labelId');
      return { kind: 'update', stateId: null };
    },
  };
}

function linkRule(takes: readonly string[]): MutationRule {
  return {
    takes,
    payload: 'AttachmentPayload',
    judge(values, issue) {
      assertOwn(values.get('issueId'), issue);
      return { kind: 'link', url: webAddress(values.get('url')) };
    },
  };
}

function assertOwn(value: unknown, issue: Issue): void {
  if (isOwnIssue(value, issue)) return;
  throw new ToolRefusal('out_of_scope', `Only ${issue.identifier}, the issue of this run, can be changed.`);
}

function shape(message: string): ToolRefusal {
  return new ToolRefusal('unsupported_issue_update_shape', message);
}
