import { satisfies } from './filter.ts';
import { type PageArguments, toPage } from './paging.ts';
import {
  type FakeAttachment,
  type FakeComment,
  type FakeIssue,
  type FakeStore,
  PROJECT_SLUG,
  TEAM,
} from './store.ts';

type Filter = Readonly<Record<string, unknown>>;
interface IssuesArguments extends PageArguments {
  readonly filter?: Filter | null;
  readonly includeArchived?: boolean | null;
  readonly sort?: readonly { readonly createdAt?: { readonly order?: string | null } | null }[] | null;
}

/** The root value of the schema: reads and changes the store as Linear would. */
export function createRoot(store: FakeStore): Readonly<Record<string, unknown>> {
  return { ...createQueries(store), ...createMutations(store) };
}

function createQueries(store: FakeStore): Readonly<Record<string, unknown>> {
  return {
    viewer: () => viewUser(store, store.me.id),
    organization: { id: 'org', name: 'Example', urlKey: 'example' },
    issue: ({ id }: { id: string }) => viewIssue(store, store.issue(id)),
    issues: (args: IssuesArguments) => listIssues(store, args),
    team: () => viewTeam(store),
    teams: (args: PageArguments) => toPage([viewTeam(store)], args),
    projects: (args: PageArguments & { filter?: Filter | null }) => {
      const teams = (page: PageArguments) => toPage([viewTeam(store)], page);
      const projects = store.projectHidden ? [] : [{ id: PROJECT_SLUG, slugId: PROJECT_SLUG, teams }];
      return toPage(
        projects.filter((project) => satisfies(project, args.filter)),
        args,
      );
    },
    project: ({ id }: { id: string }) => ({ id, slugId: id, name: 'App', url: 'https://linear.app/p/app' }),
    workflowStates: (args: PageArguments & { filter?: Filter | null }) =>
      toPage(
        store.states.filter((state) => satisfies({ ...state, team: TEAM }, args.filter)),
        args,
      ),
    issueLabels: (args: PageArguments) => toPage([{ id: 'label-bug', name: 'bug' }], args),
    comment: ({ id }: { id: string }) => viewComment(store, findComment(store, id)),
  };
}

interface NewFakeIssue {
  readonly teamId: string;
  readonly stateId?: string;
  readonly title: string;
  readonly description?: string;
}

function createMutations(store: FakeStore): Readonly<Record<string, unknown>> {
  return {
    issueUpdate({
      id,
      input,
    }: {
      id: string;
      input: { stateId?: string; title?: string; description?: string };
    }) {
      const issue = store.issue(id);
      if (input.stateId !== undefined && !store.states.some((state) => state.id === input.stateId))
        throw new Error('stateId is not a state of the team');
      Object.assign(issue, input);
      return { success: true, lastSyncId: 1, issue: viewIssue(store, issue) };
    },
    issueCreate({ input }: { input: NewFakeIssue }) {
      const state = store.states.find(({ id }) => id === input.stateId);
      if (state === undefined || input.teamId !== TEAM.id)
        throw new Error('stateId is not a state of the team');
      const { title, description = null } = input;
      const issue = store.addIssue({ title, description, state: state.name });
      return { success: true, lastSyncId: 1, issue: viewIssue(store, issue) };
    },
    issueRelationCreate({ input }: { input: { issueId: string; relatedIssueId: string; type: string } }) {
      const [from, to] = [store.issue(input.issueId), store.issue(input.relatedIssueId)];
      if (input.type === 'blocks') store.block(to.id, from.id);
      return { success: true, lastSyncId: 1, issueRelation: { id: 'relation', type: input.type } };
    },
    issueAddLabel: ({ id }: { id: string }) => ({
      success: true,
      lastSyncId: 1,
      issue: viewIssue(store, store.issue(id)),
    }),
    issueRemoveLabel: ({ id }: { id: string }) => ({
      success: true,
      lastSyncId: 1,
      issue: viewIssue(store, store.issue(id)),
    }),
    commentCreate({ input }: { input: { issueId: string; body: string } }) {
      const comment = store.addComment(store.issue(input.issueId).id, input.body);
      return { success: true, lastSyncId: 1, comment: viewComment(store, comment) };
    },
    commentUpdate({ id, input }: { id: string; input: { body: string } }) {
      const comment = findComment(store, id);
      comment.body = input.body;
      return { success: true, lastSyncId: 1, comment: viewComment(store, comment) };
    },
    attachmentCreate: ({ input }: { input: { issueId: string; url: string; title: string } }) =>
      attach(store, input),
    attachmentLinkURL: (input: { issueId: string; url: string; title?: string }) => attach(store, input),
    attachmentLinkGitHubPR: (input: { issueId: string; url: string; title?: string }) => attach(store, input),
    attachmentLinkGitLabMR: (input: { issueId: string; url: string; title?: string }) => attach(store, input),
  };
}

function listIssues(store: FakeStore, args: IssuesArguments): unknown {
  const visible = store.projectHidden ? [] : [...store.issues.values()];
  const matching = visible
    .filter((issue) => args.includeArchived === true || issue.archivedAt === null)
    .filter((issue) => satisfies(factsOf(store, issue), args.filter));
  const oldestFirst = args.sort?.[0]?.createdAt?.order === 'Ascending';
  matching.sort((a, b) => (oldestFirst ? 1 : -1) * a.createdAt.localeCompare(b.createdAt));
  return toPage(
    matching.map((issue) => viewIssue(store, issue)),
    args,
  );
}

/** What an IssueFilter may ask about. */
function factsOf(store: FakeStore, issue: FakeIssue): Filter {
  const { name, type, id } = store.stateOf(issue);
  return {
    id: issue.id,
    number: issue.number,
    title: issue.title,
    priority: issue.priority,
    state: { id, name, type },
    team: TEAM,
    project: { slugId: issue.projectSlug },
    assignee: { id: issue.assigneeId },
  };
}

function viewIssue(store: FakeStore, issue: FakeIssue): { readonly id: string } & Record<string, unknown> {
  const identifier = store.identifierOf(issue);
  const relations = store.blockers.filter((relation) => relation.blockedId === issue.id);
  return {
    ...issue,
    identifier,
    url: `https://linear.app/example/issue/${identifier}`,
    branchName: `${identifier.toLowerCase()}-work`,
    priorityLabel: 'Priority',
    labelIds: [],
    state: () => store.stateOf(issue),
    assignee: () => (issue.assigneeId === null ? null : viewUser(store, issue.assigneeId)),
    creator: () => (issue.creatorId === null ? null : viewUser(store, issue.creatorId)),
    team: () => viewTeam(store),
    project: {
      id: `id-of-${issue.projectSlug}`,
      slugId: issue.projectSlug,
      name: 'App',
      url: 'https://linear.app/p',
    },
    parent: null,
    cycle: null,
    labels: (args: PageArguments) =>
      toPage(
        issue.labels.map((name, index) => ({ id: `${issue.id}-label-${index}`, name })),
        args,
      ),
    inverseRelations: (args: PageArguments) =>
      toPage(
        relations.map((relation) => ({
          id: relation.id,
          type: 'blocks',
          issue: () => viewIssue(store, store.issue(relation.blockerId)),
        })),
        args,
      ),
    relations: (args: PageArguments) => toPage([], args),
    children: (args: PageArguments) => toPage([], args),
    history: (args: PageArguments) => toPage([], args),
    // Newest first, as Linear gives them.
    comments: (args: PageArguments) =>
      toPage(
        store.comments
          .filter((comment) => comment.issueId === issue.id)
          .map((comment) => viewComment(store, comment))
          .reverse(),
        args,
      ),
    attachments: (args: PageArguments) =>
      toPage(
        store.attachments.filter((attachment) => attachment.issueId === issue.id),
        args,
      ),
  };
}

function viewTeam(store: FakeStore): { readonly id: string } & Record<string, unknown> {
  return {
    ...TEAM,
    states: (args: PageArguments) => toPage(store.states, args),
    labels: (args: PageArguments) => toPage([{ id: 'label-bug', name: 'bug' }], args),
  };
}

function viewUser(store: FakeStore, id: string): unknown {
  const user = store.users.find((candidate) => candidate.id === id);
  return user === undefined
    ? null
    : { ...user, name: user.displayName, active: true, isMe: id === store.me.id };
}

function viewComment(
  store: FakeStore,
  comment: FakeComment,
): { readonly id: string } & Record<string, unknown> {
  return {
    ...comment,
    url: `https://linear.app/comment/${comment.id}`,
    user: () => (comment.userId === null ? null : viewUser(store, comment.userId)),
    botActor: comment.userId === null ? { id: 'bot', name: 'bot', type: 'app' } : null,
    issue: () => viewIssue(store, store.issue(comment.issueId)),
  };
}

function findComment(store: FakeStore, id: string): FakeComment {
  const comment = store.comments.find((candidate) => candidate.id === id);
  if (comment === undefined) throw new Error('Entity not found: Comment');
  return comment;
}

/** One attachment per address and issue, as Linear keeps them. */
function attach(store: FakeStore, input: { issueId: string; url: string; title?: string }): unknown {
  const issue = store.issue(input.issueId);
  const existing = store.attachments.find(
    (candidate) => candidate.issueId === issue.id && candidate.url === input.url,
  );
  const attachment: FakeAttachment = existing ?? {
    id: `attachment-${store.attachments.length}`,
    issueId: issue.id,
    title: input.title ?? input.url,
    url: input.url,
  };
  if (existing === undefined) store.attachments.push(attachment);
  return { success: true, lastSyncId: 1, attachment };
}
