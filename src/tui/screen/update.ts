import type { BoardRow } from '../board/rows.ts';
import { ISSUE_TABS } from '../issue/frame.ts';
import {
  type Answer,
  requestAnswer,
  requestMessage,
  requestRetry,
  requestStop,
  requestWithText,
} from './action-requests.ts';
import type { Key } from './keys.ts';
import { openRow, select, selectedRow } from './selection.ts';
import type { ActionRequest, Effect, Input, OpenIssue, Remark, Step, Ui } from './ui.ts';

/** What the keys act on. */
export interface Scene {
  /** As the filter leaves them. */
  readonly rows: readonly BoardRow[];
  /** Also those that the filter hides. */
  readonly allRows: readonly BoardRow[];
  readonly paused: boolean;
  /** Null while the worker takes actions, else why it does not. */
  readonly refusal: string | null;
  /** Lines that a page holds. */
  readonly page: number;
  readonly now: number;
}

const MAX_TEXT = 20_000;

/** What a key does. Pure: what is to be done outside comes back as effects. */
export function update(ui: Ui, key: Key, scene: Scene): Step {
  if (key.name === 'interrupt') return { ui, effects: [{ kind: 'quit', by: 'interrupt' }] };
  if (key.name === 'suspend') return { ui, effects: [{ kind: 'suspend' }] };
  if (ui.input !== null) return typing(ui, ui.input, key);
  if (ui.question !== null) return answering(ui, ui.question.request, key);
  if (ui.help) return stay(closesHelp(key) ? { ...ui, help: false } : ui);
  const quiet = { ...ui, remark: null };
  if (key.name !== 'text')
    return ui.open === null ? moveOnBoard(quiet, key, scene) : moveInIssue(quiet, ui.open, key, scene);
  // Fast typing brings several letters at once; a letter that opens something takes no more.
  let step = stay(quiet);
  const effects: Effect[] = [];
  for (const letter of key.text) {
    step =
      step.ui.input === null && step.ui.question === null
        ? command(step.ui, letter, scene)
        : update(step.ui, { name: 'text', text: letter }, scene);
    effects.push(...step.effects);
  }
  return { ui: step.ui, effects };
}

function stay(ui: Ui, ...effects: readonly Effect[]): Step {
  return { ui, effects };
}

function closesHelp(key: Key): boolean {
  return key.name === 'escape' || key.name === 'enter' || (key.name === 'text' && /^[?q]/.test(key.text));
}

function typing(ui: Ui, input: Input, key: Key): Step {
  const typed = (text: string): Step => {
    const next = { ...input, text: text.slice(0, MAX_TEXT) };
    return stay({ ...ui, input: next, ...(input.kind === 'filter' ? { filter: next.text } : {}) });
  };
  switch (key.name) {
    case 'text':
      return typed(input.text + (input.kind === 'filter' ? key.text.replaceAll('\n', ' ') : key.text));
    case 'backspace':
      return typed([...input.text].slice(0, -1).join(''));
    case 'clear-line':
      return typed('');
    case 'clear-word':
      return typed(input.text.replace(/\S*\s*$/, ''));
    case 'escape':
      return stay({ ...ui, input: null, ...(input.kind === 'filter' ? { filter: '' } : {}) });
    case 'enter': {
      const request = requestWithText(input);
      return stay({ ...ui, input: null }, ...(request === null ? [] : [{ kind: 'act' as const, request }]));
    }
    default:
      return stay(ui);
  }
}

function answering(ui: Ui, request: ActionRequest, key: Key): Step {
  const said = key.name === 'text' ? key.text.charAt(0).toLowerCase() : '';
  if (said === 'y' || key.name === 'enter') return stay({ ...ui, question: null }, { kind: 'act', request });
  if (said === 'n' || said === 'q' || key.name === 'escape') return stay({ ...ui, question: null });
  return stay(ui);
}

function moveOnBoard(ui: Ui, key: Key, scene: Scene): Step {
  const { rows, page } = scene;
  switch (key.name) {
    case 'up':
      return stay(select(ui, rows, (index) => index - 1));
    case 'down':
      return stay(select(ui, rows, (index) => index + 1));
    case 'page-up':
      return stay(select(ui, rows, (index) => index - page));
    case 'page-down':
      return stay(select(ui, rows, (index) => index + page));
    case 'home':
      return stay(select(ui, rows, () => 0));
    case 'end':
      return stay(select(ui, rows, () => rows.length - 1));
    case 'enter':
    case 'right':
      return openIssue(ui, scene);
    case 'escape':
      return stay({ ...ui, filter: '' });
    default:
      return stay(ui);
  }
}

function openIssue(ui: Ui, { rows }: Scene): Step {
  const row = selectedRow(ui, rows);
  if (row === null) return stay(ui);
  const { issueId, identifier } = row;
  const open: OpenIssue = { issueId, identifier, tab: 'transcript', scroll: 0 };
  return stay({ ...select(ui, rows, (index) => index), open }, { kind: 'look', issueId });
}

function moveInIssue(ui: Ui, open: OpenIssue, key: Key, { page }: Scene): Step {
  const tab = (by: number): Step => {
    const next = ISSUE_TABS.at((ISSUE_TABS.indexOf(open.tab) + by) % ISSUE_TABS.length) ?? open.tab;
    return stay({ ...ui, open: { ...open, tab: next, scroll: 0 } });
  };
  // The transcript is read from its end: there, up is further away from it.
  const up = open.tab === 'transcript' ? 1 : -1;
  const scroll = (lines: number): Step =>
    stay({ ...ui, open: { ...open, scroll: Math.max(0, open.scroll + lines * up) } });
  switch (key.name) {
    case 'up':
      return scroll(1);
    case 'down':
      return scroll(-1);
    case 'page-up':
      return scroll(page);
    case 'page-down':
      return scroll(-page);
    case 'home':
      return stay({
        ...ui,
        open: { ...open, scroll: open.tab === 'transcript' ? Number.MAX_SAFE_INTEGER : 0 },
      });
    case 'end':
      return stay({
        ...ui,
        open: { ...open, scroll: open.tab === 'transcript' ? 0 : Number.MAX_SAFE_INTEGER },
      });
    case 'tab':
    case 'right':
      return tab(1);
    case 'left':
      return tab(-1);
    case 'escape':
    case 'backspace':
      return stay({ ...ui, open: null }, { kind: 'look', issueId: null });
    default:
      return stay(ui);
  }
}

function command(ui: Ui, letter: string, scene: Scene): Step {
  const row = ui.open === null ? selectedRow(ui, scene.rows) : openRow(ui, scene.allRows);
  const move = (name: 'up' | 'down' | 'home' | 'end' | 'tab' | 'page-down' | 'page-up'): Step =>
    ui.open === null ? moveOnBoard(ui, { name }, scene) : moveInIssue(ui, ui.open, { name }, scene);
  switch (letter) {
    case 'q':
      return stay(ui, { kind: 'quit', by: 'key' });
    case '?':
      return stay({ ...ui, help: true });
    case 'j':
      return move('down');
    case 'k':
      return move('up');
    case 'g':
      return move('home');
    case 'G':
      return move('end');
    case ' ':
      return move('page-down');
    case 'd':
      return ui.open === null ? stay(ui) : stay({ ...ui, open: { ...ui.open, tab: 'diff', scroll: 0 } });
    case 't':
      return ui.open === null
        ? stay(ui)
        : stay({ ...ui, open: { ...ui.open, tab: 'transcript', scroll: 0 } });
    case '/':
      return stay(
        {
          ...ui,
          open: null,
          input: { kind: 'filter', issue: '', identifier: '', about: '', text: ui.filter },
        },
        ...(ui.open === null ? [] : [{ kind: 'look' as const, issueId: null }]),
      );
    case 'p':
      return resolve(ui, { do: { action: scene.paused ? 'resume' : 'pause', body: {} } }, scene);
    case 'o':
      return stay(ui, { kind: 'browse', url: row?.url ?? null });
    case 'O':
      return stay(ui, { kind: 'browse', url: null });
    default:
      return onRow(ui, letter, row, scene);
  }
}

const ON_ROW: Readonly<Record<string, (row: BoardRow) => Answer>> = {
  s: requestStop,
  r: requestRetry,
  a: requestAnswer,
  m: requestMessage,
};

function onRow(ui: Ui, letter: string, row: BoardRow | null, scene: Scene): Step {
  const request = ON_ROW[letter];
  if (request === undefined) return stay(ui);
  return row === null
    ? stay({ ...ui, remark: remark('no issue is selected', scene) })
    : resolve(ui, request(row), scene);
}

function resolve(ui: Ui, answer: Answer, scene: Scene): Step {
  if ('no' in answer) return stay({ ...ui, remark: remark(answer.no, scene) });
  if (scene.refusal !== null) return stay({ ...ui, remark: remark(scene.refusal, scene) });
  if ('do' in answer) return stay(ui, { kind: 'act', request: answer.do });
  return stay('ask' in answer ? { ...ui, question: answer.ask } : { ...ui, input: answer.type });
}

function remark(text: string, { now }: Scene): Remark {
  return { text, tone: 'attention', at: now };
}
