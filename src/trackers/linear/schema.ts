import { z } from 'zod';
import { ConnectionPage } from '../../http/pages/connection.ts';

const requiredText = z.string().refine((text) => text.trim() !== '', 'is blank');
const optionalText = z.string().nullable().catch(null);

const State = z.object({ id: requiredText, name: requiredText, type: z.string().catch('') });
export type LinearState = z.infer<typeof State>;

export const LabelNode = z.object({ name: z.string() });

/** A relation whose issue cannot be read still blocks. */
export const RelationNode = z.object({
  type: z.string(),
  issue: z
    .object({
      id: requiredText,
      identifier: requiredText,
      state: z
        .object({ name: requiredText, type: z.string().catch('') })
        .nullable()
        .catch(null),
    })
    .nullable()
    .catch(null),
});
export type RelationNode = z.infer<typeof RelationNode>;

export const SurveyNode = z.object({
  id: requiredText,
  identifier: requiredText,
  state: z.object({ name: requiredText }),
});

/**
 * One issue. Labels, relations, assignee and creator decide whether it may run, so that an answer without them is malformed;
 * a fallback could stop a run or start one.
 */
export const IssueNode = z.object({
  id: requiredText,
  identifier: requiredText,
  title: requiredText,
  state: State,
  assignee: z
    .object({
      id: requiredText,
      displayName: optionalText,
      email: optionalText,
      isMe: z.boolean().catch(false),
    })
    .nullable(),
  creator: z.object({ id: requiredText, email: requiredText }).nullable(),
  integrationSourceType: z.string().nullable(),
  labels: ConnectionPage,
  inverseRelations: ConnectionPage,
  description: optionalText,
  priority: z.number().nullable().catch(null),
  branchName: optionalText,
  url: optionalText,
  createdAt: optionalText,
  updatedAt: optionalText,
  archivedAt: optionalText,
  trashed: z.boolean().nullable().catch(null),
  team: z.object({ id: requiredText, key: requiredText }).nullable().catch(null),
  project: z.object({ id: requiredText, slugId: requiredText }).nullable().catch(null),
});
export type IssueNode = z.infer<typeof IssueNode>;

const States = z.object({ nodes: z.array(State) });

/** The issue of a run as a tool needs it. */
export const OwnState = z.object({
  id: requiredText,
  identifier: requiredText,
  archivedAt: optionalText,
  trashed: z.boolean().nullable().catch(null),
  state: State,
  project: z.object({ slugId: requiredText }).nullable(),
  team: z.object({ id: requiredText, key: requiredText, states: States }),
});
export type OwnState = z.infer<typeof OwnState>;

const CommentView = z.object({
  body: z.string(),
  createdAt: optionalText,
  user: z
    .object({ id: z.string(), email: z.string(), displayName: optionalText, isMe: z.boolean() })
    .nullable()
    .catch(null),
  botActor: z.object({ id: optionalText, name: optionalText }).nullable().catch(null),
});

export const OwnIssueExtras = z.object({
  team: z.object({ states: States }),
  comments: z.object({ nodes: z.array(CommentView) }),
  attachments: z.object({ nodes: z.array(z.object({ title: optionalText, url: optionalText })) }),
});

export const CommentAuthor = z.object({
  user: z.object({ isMe: z.boolean() }).nullable().catch(null),
  botActor: z.object({ id: z.string().nullable() }).nullable().catch(null),
});
export const WorkpadComment = CommentAuthor.extend({ id: requiredText, body: z.string() });
export const CommentOwner = CommentAuthor.extend({
  id: requiredText,
  issue: z.object({ id: requiredText }).nullable(),
});
