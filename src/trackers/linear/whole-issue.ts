import type { Purpose } from '../../http/budget/governor.ts';
import type { LinearClient } from './client.ts';
import { MORE_BLOCKERS, MORE_LABELS } from './documents.ts';
import type { WholeIssue } from './normalize.ts';
import { type IssueNode, LabelNode, RelationNode } from './schema.ts';

const MAX_NESTED_PAGES = 20;

/** Reads the labels and relations that did not fit on the page of the issue. */
export async function readWholeIssue(
  client: LinearClient,
  node: IssueNode,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<WholeIssue> {
  const entries = async (field: 'labels' | 'inverseRelations'): Promise<readonly unknown[]> => {
    const { nodes, pageInfo } = node[field];
    if (!pageInfo.hasNextPage) return nodes;
    const rest = await client.all({
      what: field === 'labels' ? 'labels' : 'relations',
      maxPages: MAX_NESTED_PAGES,
      operation: { document: field === 'labels' ? MORE_LABELS : MORE_BLOCKERS, purpose, signal },
      variables: (after) => ({ id: node.id, after }),
      connection: (data) => (data['issue'] as Readonly<Record<string, unknown>> | null)?.[field],
      after: pageInfo.endCursor,
    });
    return [...nodes, ...rest];
  };
  const labels = (await entries('labels')).flatMap((entry) => {
    const label = LabelNode.safeParse(entry);
    return label.success ? [label.data.name] : [];
  });
  return { node, labels, relations: (await entries('inverseRelations')).map(readRelation) };
}

/** A relation that cannot be read may be a blocker, so it counts as one. */
function readRelation(entry: unknown): RelationNode {
  const relation = RelationNode.safeParse(entry);
  return relation.success ? relation.data : { type: 'blocks', issue: null };
}
