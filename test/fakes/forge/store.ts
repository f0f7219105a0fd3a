import type { FakeBranch, FakePull } from './pulls.ts';

export interface FakeLabel {
  readonly id: number;
  readonly name: string;
  readonly color: string;
}

export interface FakeComment {
  readonly id: number;
  readonly author: string;
  readonly association: string;
  readonly body: string;
  readonly at: string;
}

export interface FakeIssue {
  readonly number: number;
  title: string;
  body: string;
  closed: boolean;
  /** Names of labels; the repository has a label of each. */
  labels: string[];
  assignees: string[];
  /** On GitHub `name[bot]` is an application. */
  author: string;
  /** How GitHub says the author stands to the repository. */
  association: string;
  readonly createdAt: string;
  updatedAt: string;
  comments: FakeComment[];
  /** Numbers of issues it waits for. */
  blockedBy: number[];
  pull: FakePull | null;
}

export interface NewIssue {
  readonly title?: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly closed?: boolean;
  readonly assignees?: readonly string[];
  readonly author?: string;
  readonly association?: string;
  readonly blockedBy?: readonly number[];
  readonly pull?: FakePull;
}

const BEGINNING = Date.parse('2026-03-01T09:00:00Z');

/** One repository, as both forges have it. Time goes on by a second with every change. */
export class ForgeStore {
  readonly issues = new Map<number, FakeIssue>();
  readonly labels: FakeLabel[] = [];
  /** Branches by name; null means that whatever is asked for is there. */
  branches: Map<string, FakeBranch> | null = null;
  /** An old server that does not count blockers and sub-issues. */
  legacy = false;
  /** The token lost its right to see the repository. */
  hidden = false;
  /** The token has no right to read checks. */
  hiddenChecks = false;
  #ticks = 0;
  #lastNumber = 0;
  #lastId = 1000;

  now(): string {
    this.#ticks += 1;
    return new Date(BEGINNING + this.#ticks * 1000).toISOString().replace('.000Z', 'Z');
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  add(issue: NewIssue): FakeIssue {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const at = this.now();
    for (const name of issue.labels ?? []) this.label(name);
    const added: FakeIssue = {
      number,
      title: issue.title ?? `Issue ${number}`,
      body: issue.body ?? '',
      closed: issue.closed ?? false,
      labels: [...(issue.labels ?? [])],
      assignees: [...(issue.assignees ?? [])],
      author: issue.author ?? 'ada',
      association: issue.association ?? 'OWNER',
      createdAt: at,
      updatedAt: at,
      comments: [],
      blockedBy: [...(issue.blockedBy ?? [])],
      pull: issue.pull ?? null,
    };
    this.issues.set(number, added);
    return added;
  }

  issue(number: number): FakeIssue {
    const found = this.issues.get(number);
    if (found === undefined) throw new Error(`there is no #${number}`);
    return found;
  }

  /** The label of this name, made when it is missing. */
  label(name: string, color = 'ededed'): FakeLabel {
    const found = this.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const label = { id: this.nextId(), name, color };
    this.labels.push(label);
    return label;
  }

  change(number: number, change: (issue: FakeIssue) => void): FakeIssue {
    const issue = this.issue(number);
    change(issue);
    issue.updatedAt = this.now();
    return issue;
  }

  comment(number: number, body: string, author = 'bot', association = 'OWNER'): FakeComment {
    const comment = { id: this.nextId(), author, association, body, at: this.now() };
    this.change(number, (issue) => issue.comments.push(comment));
    return comment;
  }

  /** A person, or a tool, replaces one label by another. */
  relabel(number: number, isOld: (label: string) => boolean, label: string | null): void {
    if (label !== null) this.label(label);
    this.change(number, (issue) => {
      issue.labels = [...issue.labels.filter((name) => !isOld(name)), ...(label === null ? [] : [label])];
    });
  }
}
