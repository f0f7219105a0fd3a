import type { ActionBody, ActionName } from '../../contract/actions.ts';
import type { IssueTab } from '../issue/frame.ts';
import type { Tone } from '../text/paint.ts';

/** An action on the worker, ready to be sent. */
export type ActionRequest = {
  [Name in ActionName]: { readonly action: Name; readonly body: Omit<ActionBody<Name>, 'by'> };
}[ActionName];

/** What the person at the keys has chosen. */
export interface Ui {
  /** The issue that is open; null for the board. */
  readonly open: OpenIssue | null;
  /** The key of the selected row, and the issue it is about: a row may move to another section. */
  readonly selected: { readonly key: string; readonly issueId: string; readonly index: number } | null;
  readonly filter: string;
  readonly input: Input | null;
  readonly question: Question | null;
  readonly help: boolean;
  readonly remark: Remark | null;
}

export interface OpenIssue {
  readonly issueId: string;
  readonly identifier: string;
  readonly tab: IssueTab;
  /** Lines from the end of the transcript, from the beginning of anything else. */
  readonly scroll: number;
}

/** Text that is being typed. */
export interface Input {
  readonly kind: 'filter' | 'answer' | 'message';
  /** Empty for the filter. */
  readonly issue: string;
  readonly identifier: string;
  /** What the text is about: the question of an agent. */
  readonly about: string;
  readonly text: string;
}

/** Something to say yes to before it is done. */
export interface Question {
  readonly text: string;
  readonly request: ActionRequest;
}

/** What came of something, for a moment. */
export interface Remark {
  readonly text: string;
  readonly tone: Tone;
  readonly at: number;
}

export const FIRST_UI: Ui = {
  open: null,
  selected: null,
  filter: '',
  input: null,
  question: null,
  help: false,
  remark: null,
};

/** What is to be done outside of the screen. */
export type Effect =
  | { readonly kind: 'quit'; readonly by: 'key' | 'interrupt' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'act'; readonly request: ActionRequest }
  | { readonly kind: 'browse'; readonly url: string | null }
  | { readonly kind: 'look'; readonly issueId: string | null };

export interface Step {
  readonly ui: Ui;
  readonly effects: readonly Effect[];
}
