import { randomUUID } from 'node:crypto';

export interface FakeState {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Within its type. */
  readonly position: number;
}

export interface FakeComment {
  readonly id: string;
  readonly issueId: string;
  readonly userId: string | null;
  body: string;
  readonly createdAt: string;
}

export interface FakeAttachment {
  readonly id: string;
  readonly issueId: string;
  readonly title: string;
  readonly url: string;
}

export interface FakeIssue {
  readonly id: string;
  readonly number: number;
  title: string;
  description: string | null;
  priority: number;
  stateId: string;
  projectSlug: string;
  assigneeId: string | null;
  creatorId: string | null;
  /** Set when it came in through an integration. */
  integrationSourceType: string | null;
  labels: string[];
  archivedAt: string | null;
  trashed: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface FakeUser {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}

export const TEAM = { id: 'c0de0000-0000-4000-8000-000000000001', key: 'ENG', name: 'Engineering' } as const;
export const PROJECT_SLUG = 'app-1a2b3c';

const STATES: readonly (readonly [string, string])[] = [
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['Human Review', 'started'],
  ['Done', 'completed'],
  ['Cancelled', 'canceled'],
];

/** What a Linear workspace with one team holds. */
export class FakeStore {
  readonly states: readonly FakeState[] = STATES.map(([name, type], index) => ({
    id: `57a7e000-0000-4000-8000-00000000000${index}`,
    name,
    type,
    position: index,
  }));
  readonly users: FakeUser[] = [
    { id: '0ce00000-0000-4000-8000-00000000000a', displayName: 'worker', email: 'worker@example.com' },
    { id: '0ce00000-0000-4000-8000-00000000000b', displayName: 'ada', email: 'ada@example.com' },
  ];
  readonly me: FakeUser = this.users[0] as FakeUser;
  readonly issues = new Map<string, FakeIssue>();
  /** The key lost its right to see the project, and with it every issue. */
  projectHidden = false;
  /** Issues by the ids of those that block them. */
  readonly blockers: { readonly id: string; readonly blockerId: string; readonly blockedId: string }[] = [];
  readonly comments: FakeComment[] = [];
  readonly attachments: FakeAttachment[] = [];
  #next = 1;

  addIssue(issue: Partial<Omit<FakeIssue, 'stateId'>> & { readonly state: string }): FakeIssue {
    const { state, ...given } = issue;
    const number = this.#next++;
    const at = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
    const added: FakeIssue = {
      id: randomUUID(),
      number,
      title: `Issue ${number}`,
      description: null,
      priority: 0,
      stateId: this.stateNamed(state).id,
      projectSlug: PROJECT_SLUG,
      assigneeId: null,
      creatorId: this.me.id,
      integrationSourceType: null,
      labels: [],
      archivedAt: null,
      trashed: false,
      createdAt: at,
      updatedAt: at,
      ...given,
    };
    this.issues.set(added.id, added);
    return added;
  }

  block(blockedId: string, blockerId: string): void {
    this.blockers.push({ id: randomUUID(), blockerId, blockedId });
  }

  addComment(issueId: string, body: string, userId: string | null = this.me.id): FakeComment {
    const createdAt = new Date(Date.UTC(2026, 1, 1) + this.comments.length * 60_000).toISOString();
    const comment = { id: randomUUID(), issueId, body, userId, createdAt };
    this.comments.push(comment);
    return comment;
  }

  move(id: string, state: string): void {
    const issue = this.issue(id);
    issue.stateId = this.stateNamed(state).id;
  }

  /** By id or identifier, as Linear finds them. */
  find(key: string): FakeIssue | undefined {
    return (
      this.issues.get(key) ??
      [...this.issues.values()].find((issue) => this.identifierOf(issue).toLowerCase() === key.toLowerCase())
    );
  }

  issue(key: string): FakeIssue {
    const issue = this.find(key);
    if (issue === undefined) throw new Error('Entity not found: Issue');
    return issue;
  }

  identifierOf(issue: FakeIssue): string {
    return `${TEAM.key}-${issue.number}`;
  }

  stateNamed(name: string): FakeState {
    const state = this.states.find((candidate) => candidate.name === name);
    if (state === undefined) throw new Error(`the fake has no state ${name}`);
    return state;
  }

  stateOf(issue: FakeIssue): FakeState {
    const state = this.states.find((candidate) => candidate.id === issue.stateId);
    if (state === undefined) throw new Error('the issue has no state');
    return state;
  }
}
