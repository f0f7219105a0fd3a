import type { Issue } from '../../domain/issue.ts';
import type { CommentText } from '../../tools/outside-texts.ts';
import type { PresentState } from './move-rule.ts';

/** What the shared tools need of a tracker: four things to do with the issue of a run, by the tracker's own requests. */
export interface OwnIssue {
  /** The issue as it is now. */
  read(issue: Issue, signal: AbortSignal): Promise<IssueView>;
  /** Moves the issue to the state that `choose` gives, which throws a ToolRefusal when there is none. */
  move(issue: Issue, choose: ChooseState, signal: AbortSignal): Promise<Move>;
  /** What the agent is told of its comment besides the identifier of the issue. */
  comment(issue: Issue, body: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Null when the tracker has no links to pull requests. `url` in the answer is the address that was linked. */
  readonly link: ((issue: Issue, link: Link, signal: AbortSignal) => Promise<Linked>) | null;
}

/** The target of a move; called with the newest state there is, and with the states the issue can be put into. */
export type ChooseState = (present: PresentState, known: readonly string[]) => string;

export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface Link {
  readonly url: string;
  readonly title?: string | undefined;
}

export interface Linked extends Readonly<Record<string, unknown>> {
  readonly url: string;
}

export interface IssueView {
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  /** What else the tracker shows of it; nothing in here is a text that a stranger can have written. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Oldest first. */
  readonly comments: readonly CommentText[];
  readonly availableStates: readonly string[];
}
