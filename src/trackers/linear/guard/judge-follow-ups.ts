import type { Issue } from '../../../domain/issue.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { inputOf, requiredText, type Values } from './graphql/values.ts';
import { isOwnIssue, nativeText, sameText } from './own-issue.ts';

/** Parts of a new issue an agent may write. People, dates and templates are a person's. */
const ISSUE_KEYS = 'teamId projectId stateId parentId title description priority estimate labelIds'.split(
  ' ',
);
const RELATION_KEYS = ['issueId', 'relatedIssueId', 'type'];
/** A duplicate would be closed by Linear. */
const RELATION_TYPES: readonly unknown[] = ['related', 'blocks'];

/** A new issue beside the run's own. Its state is looked at later: it must not start work by itself. */
export function judgeIssueCreate(values: Values, issue: Issue): { kind: 'follow_up'; stateId: string } {
  const input = inputOf(values, ISSUE_KEYS, 'argument_not_allowed');
  requiredText(input['title'], 'title');
  const { parentId } = input;
  const inPlace =
    sameText(input['teamId'], nativeText(issue, 'team_id')) &&
    sameText(input['projectId'], nativeText(issue, 'project_id')) &&
    (parentId === undefined || isOwnIssue(parentId, issue));
  if (!inPlace) {
    throw new ToolRefusal(
      'out_of_scope',
      `A follow-up belongs to the team and the project of ${issue.identifier} (teamId, projectId), and to no other parent.`,
    );
  }
  return { kind: 'follow_up', stateId: requiredText(input['stateId'], 'stateId') };
}

/** Between the run's own issue and one that is looked up later. */
export function judgeRelation(values: Values, issue: Issue): { kind: 'relate'; followUp: string } {
  const { issueId, relatedIssueId, type } = inputOf(values, RELATION_KEYS, 'argument_not_allowed');
  if (!RELATION_TYPES.includes(type))
    throw new ToolRefusal('argument_not_allowed', `type must be one of ${RELATION_TYPES.join(', ')}.`);
  const [from, to] = [requiredText(issueId, 'issueId'), requiredText(relatedIssueId, 'relatedIssueId')];
  if (isOwnIssue(from, issue) !== isOwnIssue(to, issue))
    return { kind: 'relate', followUp: isOwnIssue(from, issue) ? to : from };
  throw new ToolRefusal('out_of_scope', `A relation must have ${issue.identifier} at one end.`);
}
