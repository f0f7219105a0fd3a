import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietCpuMs } from '../../../../test/fakes/measured-time.ts';
import type { FrontMatter, IssueContent } from '../schema.ts';
import { parseIssueText, renderIssueText, withComment, withFields, withState } from './document.ts';

const AT = '2026-03-01T09:30:00.000Z';
const MINIMAL: FrontMatter = {
  title: 'A title',
  state: 'Todo',
  priority: null,
  labels: [],
  blocked_by: [],
  assignee: null,
  author: null,
  branch: null,
  url: null,
  created_at: null,
  updated_at: null,
};

function read(text: string): IssueContent {
  const parsed = parseIssueText(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

function problem(text: string): string {
  const parsed = parseIssueText(text);
  return parsed.ok ? 'none' : parsed.problem;
}

/** Texts made of pieces that could be mistaken for the file's own structure. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '---',
        '\n',
        '\r\n',
        '\r',
        '## Comments',
        '\\## Comments',
        `### ada, ${AT}`,
        `\\\\### ada, ${AT}`,
        '\u2028',
        '\uFEFF',
        '```',
        ' ',
        '\t',
        'title: x',
        '# c',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''));
const lineText = hostileText.map((text) => text.trim()).filter((text) => text !== '');
const fieldsArbitrary: fc.Arbitrary<FrontMatter> = fc.record({
  title: lineText,
  state: lineText,
  priority: fc.option(fc.integer(), { nil: null }),
  labels: fc.uniqueArray(
    lineText.map((text) => text.toLowerCase().trim()).filter((text) => text === text.toLowerCase()),
    { maxLength: 3 },
  ),
  blocked_by: fc.uniqueArray(lineText, { maxLength: 3 }),
  assignee: fc.option(lineText, { nil: null }),
  author: fc.option(lineText, { nil: null }),
  branch: fc.option(lineText, { nil: null }),
  url: fc.option(lineText, { nil: null }),
  created_at: fc.option(lineText, { nil: null }),
  updated_at: fc.constantFrom(null, AT),
});
const commentsArbitrary = fc.array(
  fc.record({
    author: fc.stringMatching(/^[a-z][a-z, #]{0,8}[a-z]$/).map((name) => name.replace(/ +/g, ' ')),
    at: fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString()),
    body: hostileText,
  }),
  { maxLength: 4 },
);

describe('issue text', () => {
  it('reads back whatever was written', () => {
    fc.assert(
      fc.property(
        fieldsArbitrary,
        hostileText,
        commentsArbitrary,
        lineText,
        (fields, description, comments, state) => {
          let text = renderIssueText(fields, description);
          expect(read(text)).toEqual({ fields, description, comments: [] });
          for (const comment of comments) text = withComment(text, comment);
          text = withState(text, state, AT);
          expect(read(text)).toEqual({ fields: { ...fields, state, updated_at: AT }, description, comments });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does the same in a file with Windows line ends', () => {
    fc.assert(
      fc.property(hostileText, commentsArbitrary, (body, comments) => {
        const unix = renderIssueText(MINIMAL, '').replaceAll('\n', '\r\n');
        let text = unix;
        for (const comment of comments) text = withComment(text, comment);
        text = withComment(text, { author: 'ada', at: AT, body });
        const content = read(text);
        expect(content.comments).toEqual([...comments, { author: 'ada', at: AT, body }]);
        expect(withState(unix, 'Done', AT).replaceAll('\r\n', '')).not.toContain('\n');
      }),
    );
  });

  it('changes nothing but the state and updated_at in a hand-written file', () => {
    const text = [
      '---   ',
      '# my own note',
      "title:   'Fix   it'   # keep",
      'estimate: 12345678901234567890',
      'labels:',
      '- Bug',
      '-   UI',
      'state:   Todo   # where it is',
      'custom: { a: 1,   b: [ 2 ] }',
      '---',
      'Body',
      '',
    ].join('\n');
    const moved = withState(text, 'In Progress', AT);
    expect(moved).toBe(
      text
        .replace('state:   Todo', 'state:   In Progress')
        .replace('[ 2 ] }\n', `[ 2 ] }\nupdated_at: ${AT}\n`),
    );
  });

  it.each([
    ['an empty value', 'title: a\nstate: b\nupdated_at:\n'],
    ['a flow map', '{title: a, state: b}\n'],
    ['a block scalar', 'title: a\nstate: >-\n  b\n'],
    ['an anchor', 'title: a\nstate: &s b\nother: *s\n'],
    ['a quoted key', '"title": a\n"state": "b"\n'],
    ['no line end', 'title: a\nstate: b'],
  ])('sets values written as %s', (_name, yaml) => {
    const moved = withState(`---\n${yaml}${yaml.endsWith('\n') ? '' : '\n'}---\nBody\n`, 'C: #1', AT);
    expect(read(moved)).toMatchObject({
      fields: { title: 'a', state: 'C: #1', updated_at: AT },
      description: 'Body',
    });
  });

  it('keeps a heading "Comments" of a person in the description', () => {
    const text = '---\ntitle: a\nstate: b\n---\n## Comments\nfree text\n';
    const commented = withComment(text, { author: 'ada', at: AT, body: 'hello' });
    expect(commented.startsWith('---\ntitle: a\nstate: b\n')).toBe(true);
    expect(read(commented)).toMatchObject({
      description: '## Comments\nfree text',
      comments: [{ author: 'ada', at: AT, body: 'hello' }],
    });
  });

  it('reads texts as written, lists with commas, and unusable optional values as absent (R-11.1-o, R-11.3-g, R-17.3-f)', () => {
    const text =
      '\uFEFF---\ntitle: 404\nstate: yes\npriority: "2"\nlabels: Bug, ui ,bug\nblocked_by: T-1\nassignee: [x]\n---\n';
    expect(read(text).fields).toMatchObject({
      title: '404',
      state: 'yes',
      priority: null,
      labels: ['bug', 'ui'],
      blocked_by: ['T-1'],
      assignee: null,
      author: null,
    });
  });

  it.each([
    ['', 'the file is empty'],
    ['# Notes\n', 'it does not start with a "---" line'],
    ['---\ntitle: a\nsta', 'the front matter has no closing "---" line'],
    ['---\n- a\n---\n', 'the front matter is not a list of "key: value" lines'],
    ['---\ntitle: a\n---\n', 'state is missing'],
    ['---\ntitle: "  "\nstate: b\n---\n', 'title is empty'],
    ['---\ntitle: [\nstate: b\n---\n', 'not valid YAML'],
    ['---\ntitle: a\ntitle: b\nstate: c\n---\n', '(line 3)'],
    ['---\ntitle: a\nstate: c\n\tlabels: x\n---\n', '(line 4)'],
  ])('says what is wrong with %j', (text, expected) => {
    expect(problem(text)).toContain(expected);
  });

  it('stays fast on a large file full of headings', async () => {
    const text = `---\ntitle: a\nstate: b\n---\n${'## Comments\n'.repeat(40_000)}${`### a, ${AT}\n`.repeat(15_000)}`;
    const spent = await quietCpuMs(() => expect(read(text).comments).toHaveLength(15_000));
    expect(spent).toBeLessThan(1_000);
  });
});

describe('changing what a person may change', () => {
  const withRemark = (text: string): string => withComment(text, { author: 'ada', at: AT, body: 'Kept.' });

  it('reads back as it was given, and leaves the comments alone', () => {
    const changes = fc.record(
      {
        title: lineText,
        state: lineText,
        priority: fc.option(fc.integer(), { nil: null }),
        labels: fieldsArbitrary.map(({ labels }) => labels),
        description: hostileText,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fieldsArbitrary,
        hostileText,
        changes,
        fc.boolean(),
        (fields, description, change, commented) => {
          const plain = renderIssueText(fields, description.trimEnd());
          const text = commented ? withRemark(plain) : plain;
          const before = read(text);
          const after = read(withFields(text, before, change, AT));
          expect(after.comments).toEqual(before.comments);
          const { updated_at: _at, ...rest } = after.fields;
          expect(rest).toMatchObject({
            title: change.title ?? before.fields.title,
            priority: change.priority === undefined ? before.fields.priority : change.priority,
            labels: change.labels ?? before.fields.labels,
            blocked_by: before.fields.blocked_by,
            author: before.fields.author,
          });
          const wanted = change.description ?? before.description;
          // A text that differs in its line ends only is the same text.
          const lines = (text: string): string => text.replace(/\r*\n/g, '\n').trimEnd();
          expect(lines(after.description)).toBe(lines(wanted));
        },
      ),
    );
  });

  it('changes nothing when all is as wished', () => {
    const text = withRemark('---\ntitle: A\nstate: Todo\nlabels: [B]\n---\n\nText\n\n\n');
    const same = { title: 'A', state: 'todo', priority: null, labels: ['b'], description: 'Text\n' };
    expect(withFields(text, read(text), same, AT)).toBe(text);
  });

  it('keeps the line ends of the file, and takes values away', () => {
    const text = '---\r\ntitle: A\r\nstate: Todo\r\npriority: 2 # urgent\r\n---\r\n\r\nOne\r\nTwo\r\n';
    expect(withFields(text, read(text), { priority: null, description: 'One\nThree' }, AT)).toBe(
      `---\r\ntitle: A\r\nstate: Todo\r\npriority: null # urgent\r\nupdated_at: ${AT}\r\n---\r\n\r\nOne\r\nThree\r\n`,
    );
    expect(withFields(text, read(text), { description: '' }, AT).endsWith('---\r\n')).toBe(true);
  });
});

describe('hostile front matter', () => {
  const file = (yaml: string): string => `---\ntitle: T\nstate: Todo\n${yaml}\n---\nText\n`;
  const laughs = Array.from(
    { length: 200 },
    (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`,
  ).join('\n');

  it.each([
    ['deep lists', `x: ${'['.repeat(16_384)}`, 'nested too deeply'],
    ['deep maps', `x: ${'{a: '.repeat(4_000)}`, 'nested too deeply'],
    ['dashes in one line', '- '.repeat(8_000), 'nested too deeply'],
    ['a megabyte of dashes', `x: ${'-'.repeat(900_000)}`, 'larger than 32 KiB'],
    ['a megabyte of lines', 'a: 1\n'.repeat(180_000), 'larger than 32 KiB'],
    ['a megabyte in one line', `x: ${'y'.repeat(900_000)}`, 'larger than 32 KiB'],
  ])('%s are refused before a parser sees them', (_name, yaml, problem) => {
    expect(parseIssueText(file(yaml))).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('aliases that multiply cost nothing, as only known keys are looked at', () => {
    expect(parseIssueText(file(`a: &a [x, x]\n${laughs}`))).toMatchObject({
      ok: true,
      value: { fields: { title: 'T' } },
    });
  });

  it('a long body is read in one pass', () => {
    const body = `${'## Comments\n\n'.repeat(10_000)}${'### a, b, c, d '.repeat(20_000)}\n${'\\'.repeat(100_000)}`;
    expect(parseIssueText(`${file('')}${body}`).ok).toBe(true);
  });
});
