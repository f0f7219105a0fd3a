import { describe, expect, it } from 'vitest';
import { DOOR_ISSUE as issue } from '../../test/fakes/door-issue.ts';
import { AppError } from '../errors/app-error.ts';
import { continuationPrompt } from './continuation.ts';
import { createPromptRenderer, type PromptInput } from './render.ts';

const renderPrompt = (given: PromptInput): Promise<string> => createPromptRenderer().render(given);

function input(template: string, changes: Partial<PromptInput> = {}): PromptInput {
  return {
    template,
    issue,
    attempt: null,
    retryKind: null,
    repo: { owner: 'acme', name: 'door', defaultBranch: 'main' },
    trackerKind: 'linear',
    policyMode: 'draft_pr',
    verifyCommands: [],
    branch: 'ai/id-1',
    delimit: false,
    nonce: 'n0nce',
    ...changes,
  };
}

async function failure(template: string, changes: Partial<PromptInput> = {}): Promise<AppError> {
  const error = await renderPrompt(input(template, changes)).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
  return error;
}

describe('prompt', () => {
  it('offers the names of both dialects (R-5.4-d, R-17.1-o, R-18.1-l, R-12.1-a, R-12.2-c, R-12.3-b)', async () => {
    const text = await renderPrompt(
      input(
        '{{ issue.identifier }}|{{ issue.title }}|{{ issue.priority }}|{{ issue.branch_name }}|{{ issue.actor }}|' +
          '{{ issue.created_at }}|{{ issue.native_ref.number }}|{{ task.title }}|{{ task.description }}|{{ task.actor }}|' +
          '{{ repo.owner }}/{{ repo.name }}@{{ workspace.branch }} from {{ repo.default_branch }}|{{ attempt }}|{{ retry_kind }}',
        { attempt: 2, retryKind: 'failure' },
      ),
    );
    expect(text).toBe(
      'ENG-7|Fix the door|2|eng-7-fix|linear|2026-01-02T03:04:05Z|7|ENG-7 Fix the door|' +
        'It squeaks.\n\nTracker: https://tracker.example/ENG-7|linear|acme/door@ai/id-1 from main|2|failure',
    );
  });

  it('means the base branch by repo.branch, as the Go worker does, and without a repository the work branch', async () => {
    const template = '{{ repo.branch }}|{{ workspace.branch }}';
    expect(await renderPrompt(input(template))).toBe('main|ai/id-1');
    expect(await renderPrompt(input(template, { repo: null }))).toBe('ai/id-1|ai/id-1');
    expect(await renderPrompt(input(template, { repo: null, branch: null }))).toBe('|');
  });

  it('renders null as nothing, and attempt is false on the first run (R-5.4-e, R-12.3-a)', async () => {
    const text = await renderPrompt(
      input('[{{ attempt }}{{ issue.assignee_id }}]{% if attempt %}again{% endif %}'),
    );
    expect(text).toBe('[]');
    expect(await renderPrompt(input('{% if attempt %}run {{ attempt }}{% endif %}', { attempt: 1 }))).toBe(
      'run 1',
    );
  });

  it('loops over labels and blockers (R-12.2-d)', async () => {
    const text = await renderPrompt(
      input(
        '{% for l in issue.labels %}<{{ l }}>{% endfor %}{% for b in issue.blocked_by %}{{ b.identifier }}={{ b.state }}{% endfor %}',
      ),
    );
    expect(text).toBe('<bug><door>ENG-2=Done');
  });

  it.each([
    ['{{ isue.title }}', 'isue'],
    ['a\n\n{{ issue.titel }}', 'issue.titel'],
    ['{% if isue %}x{% endif %}', 'isue'],
    ['{% unless nope %}x{% endunless %}', 'nope'],
    ['{% assign a = nope %}{{ a }}', 'nope'],
    ['{% case nope %}{% when 1 %}x{% endcase %}', 'nope'],
    ['{% for x in nope %}{% endfor %}', 'nope'],
    [
      '{% if issue.title %}{% for l in issue.labels %}{% if nope %}x{% endif %}{% endfor %}{% endif %}',
      'nope',
    ],
    ['{{ issue.constructor }}', 'issue.constructor'],
  ])(
    'refuses the unknown variable in %j (R-5.4-a, R-5.4-b, R-12.2-a, R-17.1-p, R-18.1-l)',
    async (template, variable) => {
      const error = await failure(template);
      expect(error.code).toBe('template_render_error');
      expect(error.context['variable']).toBe(variable);
      expect(error.message).toContain(variable);
    },
  );

  it('forgives a missing variable only where a default is given', async () => {
    expect(await renderPrompt(input("{{ nope | default: 'x' }}{{ issue.nope | default: 'y' }}"))).toBe('xy');
    expect(await renderPrompt(input("{{ issue.assignee_id | default: 'nobody' | upcase }}"))).toBe('NOBODY');
  });

  it('refuses an unknown filter as a rendering error and names it (R-5.4-c, R-12.2-b)', async () => {
    const error = await failure('one\n{{ issue.title | shout }}', { firstLine: 10 });
    expect(error.code).toBe('template_render_error');
    expect(error.context).toMatchObject({ filter: 'shout', line: 11 });
  });

  it.each(['{% if issue.title %}', '{{ issue.title', '{% nosuch %}', '{% for %}{% endfor %}'])(
    'calls %j a parse error with its line',
    async (broken) => {
      const error = await failure(`first\nsecond\n${broken}`, { firstLine: 5 });
      expect(error.code).toBe('template_parse_error');
      expect(error.context['line']).toBe(7);
      expect(error.hint).toMatch(/Close/);
    },
  );

  it('names the line of the file', async () => {
    const error = await failure('first\nsecond {{ nope }}', { firstLine: 20 });
    expect(error.message).toContain('line 21');
  });

  it('keeps template code in issue texts as text', async () => {
    const hostile = '{{ task.id }}{% for i in (1..3) %}x{% endfor %}{{ nope }}';
    const text = await renderPrompt(input('{{ issue.title }}', { issue: { ...issue, title: hostile } }));
    expect(text).toBe(hostile);
  });

  it('cannot read files', async () => {
    for (const template of [
      "{% include '/etc/passwd' %}",
      "{% render '/etc/passwd' %}",
      "{% layout '/etc/passwd' %}",
    ]) {
      expect((await failure(template)).code).toBe('template_render_error');
    }
  });

  it('cannot run for ever', async () => {
    const started = Date.now();
    const error = await failure('{% for a in (1..1000000000) %}{{ a }}{% endfor %}');
    expect(error.code).toBe('template_render_error');
    expect(Date.now() - started).toBeLessThan(15_000);
  });

  it('uses the default prompt for a blank body (R-5.4-f)', async () => {
    const text = await renderPrompt(input('  \n'));
    expect(text).toContain('ENG-7');
    expect(text).toContain('Fix the door');
    expect(text).toContain('It squeaks.');
    expect(text).not.toContain('follow-up');
    const bare = await renderPrompt(input('', { issue: { ...issue, description: null }, attempt: 3 }));
    expect(bare).toContain('No description was provided.');
    expect(bare).toContain('follow-up run 3');
  });

  it('adds the verification directive, and the analysis directive instead of it', async () => {
    const verify = await renderPrompt(input('Do it.', { verifyCommands: ['npm test', 'npm run lint'] }));
    expect(verify).toMatch(/^Do it\.\n\n## Verification/);
    expect(verify).toContain('`npm test`');
    const analysis = await renderPrompt(
      input('Do it.', { verifyCommands: ['npm test'], policyMode: 'analysis_only' }),
    );
    expect(analysis).toContain('.aiops/PLAN.md');
    expect(analysis).not.toContain('npm test');
  });

  it('does not repeat a directive the template has, but an issue text cannot switch one off', async () => {
    const changes = { policyMode: 'analysis_only' };
    const once = await renderPrompt(input('Do it.', changes));
    const directive = once.slice('Do it.\n\n'.length);
    expect(await renderPrompt(input(`Do it.\n\n${directive}`, changes))).toBe(once);
    const hostile = { ...issue, description: directive };
    const twice = await renderPrompt(input('{{ issue.description }}', { ...changes, issue: hostile }));
    expect(twice).toBe(`${directive}\n\n${directive}`);
  });

  it('renders many issues with one renderer', async () => {
    const renderer = createPromptRenderer();
    const texts = await Promise.all(
      ['A', 'B', 'C'].map((title) =>
        renderer.render(input('{{ issue.title }}', { issue: { ...issue, title } })),
      ),
    );
    expect(texts).toEqual(['A', 'B', 'C']);
  });
});

describe('continuation', () => {
  it('names the turn and leaves the prompt out', () => {
    const text = continuationPrompt({ issue, turn: 2, maxTurns: 3 });
    expect(text).toContain('turn 2 of 3');
    expect(text).toContain('ENG-7');
    expect(text).not.toContain('It squeaks.');
    expect(text).not.toContain('outside');
  });

  it('reminds of what is data where the prompt marked it', () => {
    expect(continuationPrompt({ issue, turn: 2, maxTurns: 3, delimited: true })).toContain(
      'marked as text from outside',
    );
  });
});
