import { describe, expect, it } from 'vitest';
import type { Author } from './issue.ts';
import { type TrustRules, trustsAuthor, whyUntrusted } from './trust.ts';

const RULES: TrustRules = {
  authors: ['ada', 'renovate[bot]', 'grace@example.com'],
  associations: ['owner', 'member'],
  labels: ['approved'],
};

function by(name: string, association: string | null = null): Author {
  return { names: [name], association };
}

describe('trust', () => {
  it('lets everybody in when no rules are set, also nobody in particular', () => {
    expect(trustsAuthor(null, null)).toBe(true);
    expect(whyUntrusted({ author: null, labels: [] }, null)).toBeNull();
  });

  it.each([
    [by('ada')],
    [by('ADA')],
    [by(' Ada ')],
    [by('renovate[bot]')],
    [by('zoe', 'OWNER')],
    [by('zoe', 'Member')],
    [{ names: ['7f00', 'Grace@Example.com'], association: null }],
  ])('lets %j in', (author) => {
    expect(whyUntrusted({ author, labels: [] }, RULES)).toBeNull();
  });

  it.each([
    [by('adа')], // the last letter is Cyrillic
    [by('ada2')],
    [by('a da')],
    [by('renovate')],
    [by('')],
    [by('zoe', 'NONE')],
    [by('zoe', 'CONTRIBUTOR')],
    [by('owner')],
    [by('approved')],
    [{ names: [], association: null }],
    [{ names: ['zoe'], association: 'ada' }],
    [null],
  ])('keeps %j out', (author) => {
    expect(trustsAuthor(author, RULES)).toBe(false);
    expect(whyUntrusted({ author, labels: ['bug', 'ada', 'owner'] }, RULES)).toContain('not trusted');
  });

  it('takes the label of a person for the word of that person, about the issue alone', () => {
    const issue = { author: by('mallory', 'NONE'), labels: ['bug', 'Approved'] };
    expect(whyUntrusted(issue, RULES)).toBeNull();
    expect(trustsAuthor(issue.author, RULES)).toBe(false);
  });

  it('says who wrote it and what would help', () => {
    const reason = whyUntrusted({ author: by('mallory', 'NONE'), labels: [] }, RULES);
    expect(reason).toBe(
      'not trusted: written by mallory (NONE), and tracker.trust lets in only those it names; the label approved lets it run',
    );
    expect(whyUntrusted({ author: null, labels: [] }, { ...RULES, labels: [] })).toBe(
      'not trusted: nobody knows who wrote it, and tracker.trust lets in only those it names',
    );
  });

  it('lets nobody in when the rules name nobody', () => {
    const nobody: TrustRules = { authors: [], associations: [], labels: [] };
    for (const author of [null, by('ada', 'OWNER'), by('', '')])
      expect(trustsAuthor(author, nobody)).toBe(false);
  });
});
