import { describe, expect, it } from 'vitest';
import { NOW } from '../../../test/fakes/board-view.ts';
import { richState } from '../../../test/integration/server/state-fixture.ts';
import { filterSections, sectionsOf } from '../board/rows.ts';
import { type InkKey, type Key, KeyReader } from './keys.ts';
import { rowsOf, selectedRow } from './selection.ts';
import { type Effect, FIRST_UI, type Ui } from './ui.ts';
import { type Scene, update } from './update.ts';

const sections = sectionsOf(richState(NOW));
const rows = rowsOf(sections);

function scene(ui: Ui, over: Partial<Scene> = {}): Scene {
  const shown = rowsOf(filterSections(sections, ui.filter));
  return { rows: shown, allRows: rows, paused: false, refusal: null, page: 10, now: NOW, ...over };
}

/** Presses keys one after the other: names of keys, or text. */
function press(
  keys: readonly (Key['name'] | `"${string}`)[],
  from: Ui = FIRST_UI,
  over: Partial<Scene> = {},
) {
  let ui = from;
  const effects: Effect[] = [];
  for (const key of keys) {
    const pressed = key.startsWith('"')
      ? { name: 'text' as const, text: key.slice(1) }
      : { name: key as 'up' };
    const step = update(ui, pressed, scene(ui, over));
    ui = step.ui;
    effects.push(...step.effects);
  }
  return { ui, effects };
}

function on(identifier: string): Ui {
  const index = rows.findIndex((row) => row.identifier === identifier);
  const row = rows[index];
  if (row === undefined) throw new Error(`no row ${identifier}`);
  return { ...FIRST_UI, selected: { key: row.key, issueId: row.issueId, index } };
}

const nameOf = (ui: Ui) => selectedRow(ui, scene(ui).rows)?.identifier;

describe('moving', () => {
  it('goes through all rows with arrows and letters, and stops at both ends', () => {
    expect(nameOf(press(['up']).ui)).toBe('DEMO-11');
    expect(nameOf(press(['down', '"j']).ui)).toBe(rows[2]?.identifier);
    expect(nameOf(press(['down', 'down', '"k']).ui)).toBe(rows[1]?.identifier);
    expect(nameOf(press(['"G', 'down']).ui)).toBe(rows.at(-1)?.identifier);
    expect(nameOf(press(['end', 'home']).ui)).toBe('DEMO-11');
    expect(nameOf(press(['page-down', 'page-up']).ui)).toBe('DEMO-11');
  });

  it('follows an issue to another section, and stays near where a row was that is gone', () => {
    const ui = press(['down']).ui;
    const moved = rows.filter(({ section }) => section !== 'running');
    expect(
      selectedRow({ ...ui, selected: { key: 'running:demo-9', issueId: 'demo-9', index: 0 } }, moved)
        ?.identifier,
    ).toBe('DEMO-9');
    expect(selectedRow({ ...ui, selected: { key: 'gone', issueId: 'gone', index: 2 } }, moved)).toBe(
      moved[2],
    );
    expect(selectedRow({ ...ui, selected: { key: 'gone', issueId: 'gone', index: 99 } }, moved)).toBe(
      moved.at(-1),
    );
    expect(selectedRow(ui, [])).toBeNull();
  });
});

describe('an issue', () => {
  it('is opened, looked through and left', () => {
    const opened = press(['enter']);
    expect(opened.effects).toEqual([{ kind: 'look', issueId: 'demo-11' }]);
    expect(opened.ui.open).toMatchObject({ identifier: 'DEMO-11', tab: 'transcript' });
    expect(press(['tab'], opened.ui).ui.open?.tab).toBe('diff');
    expect(press(['tab', 'tab'], opened.ui).ui.open?.tab).toBe('facts');
    expect(press(['left'], opened.ui).ui.open?.tab).toBe('facts');
    expect(press(['"d', '"t'], opened.ui).ui.open?.tab).toBe('transcript');
    const left = press(['escape'], opened.ui);
    expect([left.ui.open, left.effects]).toEqual([null, [{ kind: 'look', issueId: null }]]);
  });

  it('scrolls a transcript from its end and a diff from its beginning', () => {
    const { ui } = press(['enter']);
    expect(press(['up', 'up', 'down'], ui).ui.open?.scroll).toBe(1);
    expect(press(['down'], ui).ui.open?.scroll).toBe(0);
    expect(press(['"d', 'down', 'page-down', 'up'], ui).ui.open?.scroll).toBe(10);
  });
});

describe('acting', () => {
  it('stops a run only after yes', () => {
    const asked = press(['"s'], on('DEMO-11'));
    expect(asked.effects).toEqual([]);
    expect(asked.ui.question?.text).toContain('Stop the run of DEMO-11?');
    for (const no of ['"n', 'escape', '"q'] as const)
      expect(press([no], asked.ui)).toMatchObject({ ui: { question: null }, effects: [] });
    expect(press(['"x'], asked.ui).ui.question).not.toBeNull();
    for (const yes of ['"y', 'enter'] as const)
      expect(press([yes], asked.ui).effects).toEqual([
        { kind: 'act', request: { action: 'stop', body: { issue: 'demo-11' } } },
      ]);
  });

  it('retries in the way the issue needs', () => {
    expect(press(['"r'], on('DEMO-9')).effects).toEqual([
      { kind: 'act', request: { action: 'retry', body: { issue: 'demo-9' } } },
    ]);
    expect(press(['"r', '"y'], on('DEMO-7')).effects).toEqual([
      { kind: 'act', request: { action: 'unblock', body: { issue: 'demo-7' } } },
    ]);
    expect(press(['"r'], on('DEMO-11')).ui.remark?.text).toContain('runs already');
    expect(press(['"r'], on('DEMO-14')).ui.remark?.text).toContain('all 3 agent slots are busy');
  });

  it('answers a question and talks to a running agent', () => {
    const typing = press(['"a'], on('DEMO-8'));
    expect(typing.ui.input).toMatchObject({
      kind: 'answer',
      issue: 'demo-8',
      about: expect.stringContaining('?'),
    });
    const sent = press(['"blue, pleasx', 'backspace', '"e', 'enter'], typing.ui);
    expect(sent.effects).toEqual([
      { kind: 'act', request: { action: 'answer', body: { issue: 'demo-8', text: 'blue, please' } } },
    ]);
    expect(press(['"one two', 'clear-word', 'clear-line', 'enter'], typing.ui)).toMatchObject({
      ui: { input: null },
      effects: [],
    });
    expect(press(['"q', 'escape'], typing.ui)).toMatchObject({ ui: { input: null }, effects: [] });
    expect(press(['"a'], on('DEMO-11')).ui.remark?.text).toBe('DEMO-11 asks nothing');
    expect(press(['"m', '"hello', 'enter'], on('DEMO-11')).effects).toEqual([
      { kind: 'act', request: { action: 'message', body: { issue: 'demo-11', text: 'hello' } } },
    ]);
    expect(press(['"m'], on('DEMO-14')).ui.remark?.text).toContain('does not run');
  });

  it('pauses and resumes', () => {
    expect(press(['"p']).effects).toEqual([{ kind: 'act', request: { action: 'pause', body: {} } }]);
    expect(press(['"p'], FIRST_UI, { paused: true }).effects).toEqual([
      { kind: 'act', request: { action: 'resume', body: {} } },
    ]);
  });

  it('says why where the worker takes no actions', () => {
    const over = { refusal: 'this worker can only be looked at' };
    for (const key of ['"p', '"s'] as const)
      expect(press([key], on('DEMO-11'), over)).toMatchObject({
        effects: [],
        ui: { question: null, remark: { text: over.refusal } },
      });
  });

  it('acts on the open issue, whatever is selected or filtered', () => {
    const { ui } = press(['enter'], on('DEMO-9'));
    expect(press(['"r'], { ...ui, filter: 'nothing has this' }).effects).toEqual([
      { kind: 'act', request: { action: 'retry', body: { issue: 'demo-9' } } },
    ]);
  });
});

describe('the other keys', () => {
  it('filter while typing, keep it with enter and clear it with escape', () => {
    const typed = press(['"/', '"json']);
    expect(typed.ui.filter).toBe('json');
    expect(nameOf(press(['enter'], typed.ui).ui)).toBe('DEMO-14');
    expect(press(['escape'], typed.ui).ui).toMatchObject({ filter: '', input: null });
    expect(press(['enter', 'escape'], typed.ui).ui.filter).toBe('');
  });

  it('quit, except while a text is typed', () => {
    expect(press(['"q']).effects).toEqual([{ kind: 'quit', by: 'key' }]);
    expect(press(['"/', '"q']).effects).toEqual([]);
    expect(press(['"/', 'interrupt']).effects).toEqual([{ kind: 'quit', by: 'interrupt' }]);
  });

  it('help and browse', () => {
    expect(press(['"?']).ui.help).toBe(true);
    expect(press(['"?', '"q'])).toMatchObject({ ui: { help: false }, effects: [] });
    expect(press(['"o'], on('DEMO-11')).effects).toEqual([
      { kind: 'browse', url: 'https://tracker.example/DEMO-11' },
    ]);
    expect(press(['"O'], on('DEMO-11')).effects).toEqual([{ kind: 'browse', url: null }]);
  });

  it('do nothing harmful on an empty board', () => {
    for (const key of ['up', 'enter', '"s', '"r', '"a', '"m', '"x'] as const)
      expect(press([key], FIRST_UI, { rows: [], allRows: [] }).effects).toEqual([]);
  });

  it('take several letters that came at once', () => {
    expect(nameOf(press(['"jj']).ui)).toBe(rows[2]?.identifier);
    expect(press(['"/abc']).ui).toMatchObject({ filter: 'abc', input: { text: 'abc' } });
  });
});

describe('KeyReader', () => {
  const names = [
    'upArrow',
    'downArrow',
    'leftArrow',
    'rightArrow',
    'pageUp',
    'pageDown',
    'home',
    'end',
    'return',
  ];
  const none = [...names, 'escape', 'ctrl', 'tab', 'backspace', 'delete', 'meta'].map((name) => [
    name,
    false,
  ]);
  const read = (reader: KeyReader, input: string, key: Partial<InkKey> = {}): readonly Key[] =>
    reader.read(input, { ...Object.fromEntries(none), ...key });

  it.each<[string, Partial<InkKey>, readonly Key[]]>([
    ['', { upArrow: true }, [{ name: 'up' }]],
    ['', { escape: true, meta: true }, [{ name: 'escape' }]],
    ['', { delete: true }, [{ name: 'backspace' }]],
    ['c', { ctrl: true }, [{ name: 'interrupt' }]],
    ['z', { ctrl: true }, [{ name: 'suspend' }]],
    ['x', { ctrl: true }, []],
    ['x', { meta: true }, []],
    ['s', {}, [{ name: 'text', text: 's' }]],
    ['text\rp', {}, [{ name: 'text', text: 'text' }, { name: 'enter' }, { name: 'text', text: 'p' }]],
    ['\r', {}, [{ name: 'enter' }]],
  ])('%j %j', (input, key, expected) => expect(read(new KeyReader(), input, key)).toEqual(expected));

  it('takes what is pasted for text, whatever is in it', () => {
    const reader = new KeyReader();
    expect(read(reader, '[200~')).toEqual([]);
    expect(read(reader, 'q\r\ns')).toEqual([{ name: 'text', text: 'q\ns' }]);
    expect(read(reader, '', { return: true })).toEqual([{ name: 'text', text: '\n' }]);
    expect(read(reader, '[201~')).toEqual([]);
    expect(read(reader, '', { return: true })).toEqual([{ name: 'enter' }]);
  });
});
