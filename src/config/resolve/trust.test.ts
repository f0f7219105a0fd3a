import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Evaluation } from '../read/evaluate.ts';

function evaluate(tracker: string, more = ''): Evaluation {
  return evaluateWorkflow(
    `---\nrepo: {clone_url: "git@git.example:acme/door.git"}\ntracker: {${tracker}}\n${more}\n---\nDo it.`,
    {
      file: '/flows/WORKFLOW.md',
      environment: { HOME: '/home/me', GITHUB_TOKEN: 'dummy', GITEA_TOKEN: 'dummy' },
    },
  );
}

describe('tracker.trust', () => {
  it('is no gate when it is not written, and prompts stay as the template makes them', () => {
    const { config, problems } = evaluate('kind: local');
    expect(problems).toEqual([]);
    expect(config.tracker.trust).toBeNull();
    expect(config.prompt.delimit).toBe(false);
  });

  it('is read without case, blanks, doubles and the sign before a login', () => {
    const { config, problems, warnings } = evaluate(
      'kind: github, trust: {authors: ["@Ada", " ada ", "Renovate[bot]"], associations: [owner, MEMBER], labels: [Approved]}',
    );
    expect([problems, warnings]).toEqual([[], []]);
    expect(config.tracker.trust).toEqual({
      authors: ['ada', 'renovate[bot]'],
      associations: ['owner', 'member'],
      labels: ['approved'],
    });
  });

  it.each([
    'trust: ',
    'trust: {}',
    'trust: {authors: []}',
    'trust: {author: [ada]}',
    'trust: {associations: [OWNER]}',
  ])('refuses a gate that nobody can pass: %s', (trust) => {
    const { problems } = evaluate(`kind: local, ${trust}`);
    expect(problems).toMatchObject([{ key: 'tracker.trust', code: 'invalid_tracker_config' }]);
    expect(problems[0]?.hint).toContain('labels');
  });

  it.each(['trust: yes', 'trust: [ada]', 'trust: {authors: {ada: 1}}', 'trust: {labels: ["  "]}'])(
    'never takes a wrong type for an open gate: %s',
    (trust) => {
      const { problems } = evaluate(`kind: local, ${trust}`);
      expect(problems.map(({ key }) => key).join()).toMatch(/^tracker\.trust/);
    },
  );

  it('knows the associations of GitHub, and warns about those that strangers have', () => {
    const typo = evaluate('kind: github, trust: {associations: [MEMBERS]}');
    expect(typo.problems).toMatchObject([
      { key: 'tracker.trust.associations', hint: 'Did you mean MEMBER?' },
    ]);
    const open = evaluate('kind: github, trust: {associations: [none]}');
    expect(open.problems).toEqual([]);
    expect(open.warnings[0]?.message).toContain('NONE, which strangers can be');
    const other = evaluate('kind: gitea, trust: {associations: [OWNER], authors: [ada]}');
    expect(other.problems).toEqual([]);
    expect(other.warnings.map(({ message }) => message).join()).toContain('has no effect for kind gitea');
  });
});

describe('prompt.delimit', () => {
  it.each([
    ['kind: local', '', false],
    ['kind: local', 'prompt: {delimit: true}', true],
    ['kind: local, trust: {authors: [ada]}', '', true],
    ['kind: local, trust: {authors: [ada]}', 'prompt: {delimit: false}', false],
  ])('for {%s} and %j is %s', (tracker, more, expected) => {
    expect(evaluate(tracker, more).config.prompt.delimit).toBe(expected);
  });
});
