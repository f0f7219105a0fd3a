import { describe, expect, it } from 'vitest';
import type { TrustRules } from '../domain/trust.ts';
import { shownComments, withholdTexts } from './outside-texts.ts';

const TRUST: TrustRules = { authors: ['ada'], associations: ['member'], labels: ['approved'] };
const WITHHELD = '[withheld: its author is not trusted here]';
const mallory = { user: { login: 'mallory' } };

describe('answers of a forge behind the gate (R-15.5-b)', () => {
  it.each([
    ['a comment', { ...mallory, body: 'evil' }, { body: WITHHELD }],
    ['the comment of nobody', { user: null, body: 'evil' }, { body: WITHHELD }],
    [
      'an issue',
      { ...mallory, title: 'evil', body: null, number: 7 },
      { title: WITHHELD, body: null, number: 7 },
    ],
    [
      'rendered text',
      { ...mallory, body: 'e', body_html: '<p>e</p>', body_text: 'e' },
      { body_html: WITHHELD, body_text: WITHHELD },
    ],
    ['a mannequin', { user: { login: 'ada', type: 'Mannequin' }, body: 'evil' }, { body: WITHHELD }],
    ['a migrated text', { user: { login: 'ada' }, original_author: 'x', body: 'evil' }, { body: WITHHELD }],
    [
      'a renaming',
      { actor: { login: 'mallory' }, event: 'renamed', rename: { from: 'a', to: 'evil' } },
      { rename: WITHHELD, event: 'renamed' },
    ],
    [
      'new and old title',
      { ...mallory, old_title: 'a', new_title: 'evil' },
      { old_title: WITHHELD, new_title: WITHHELD },
    ],
    ['an account that is no record', { user: 'ada', body: 'evil' }, { body: WITHHELD }],
    [
      'a comment within',
      { event: 'x', source: { issue: { ...mallory, body: 'evil' } } },
      { source: { issue: { body: WITHHELD } } },
    ],
  ])('lose %s', (_what, answer, expected) => {
    expect(withholdTexts([answer], TRUST)).toMatchObject([expected]);
    expect(JSON.stringify(withholdTexts(answer, TRUST))).not.toContain('evil');
  });

  it.each([
    ['a trusted author', { user: { login: 'Ada' }, body: 'fine' }],
    ['a trusted association', { user: { login: 'zoe' }, author_association: 'MEMBER', body: 'fine' }],
    [
      'an issue that is vouched for',
      { ...mallory, labels: [{ name: 'Approved' }], title: 'fine', body: 'fine' },
    ],
    ['what nobody wrote', { sha: 'abc', body: 'no user here', files: [1, null, true] }],
    ['an event without a text', { actor: { login: 'mallory' }, event: 'labeled', label: { name: 'bug' } }],
    ['a number', 7],
    ['nothing', null],
  ])('keep %s', (_what, answer) => {
    expect(withholdTexts(answer, TRUST)).toEqual(answer);
  });

  it('are untouched while there is no gate', () => {
    const answer = [{ ...mallory, body: 'evil' }];
    expect(withholdTexts(answer, null)).toBe(answer);
  });

  it('are cut where they are nested without end, and leave prototypes alone', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}{"user":null,"body":"evil"}${'}'.repeat(500)}`) as unknown;
    expect(JSON.stringify(withholdTexts(deep, TRUST))).not.toContain('evil');
    const odd = withholdTexts(JSON.parse('{"__proto__":{"user":1},"body":"x"}'), TRUST);
    expect(Object.getPrototypeOf(odd)).toBe(Object.prototype);
  });
});

describe('comments behind the gate', () => {
  it('are counted before and shown after they were sifted, the newest 50', () => {
    const comments = Array.from({ length: 120 }, (_, index) => ({
      author: 'x',
      writer: { names: [index % 2 === 0 ? 'ada' : 'mallory'], association: null },
      at: null,
      body: `${index}`,
    }));
    const shown = shownComments(comments, TRUST);
    expect(shown['comments']).toHaveLength(50);
    expect(shown['comments']).toMatchObject([{ body: '20' }, ...Array.from({ length: 49 }, () => ({}))]);
    expect(shown['comments_withheld']).toBe(60);
  });
});
