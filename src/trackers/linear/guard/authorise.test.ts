import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Issue } from '../../../domain/issue.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { authoriseRequest } from './authorise.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const issue: Issue = {
  id: ID,
  identifier: 'ENG-1',
  title: 'Mine',
  description: null,
  priority: null,
  state: 'In Progress',
  branchName: null,
  url: null,
  assigneeId: null,
  author: null,
  labels: [],
  blockedBy: [],
  dispatchable: true,
  undispatchableReason: null,
  createdAt: null,
  updatedAt: null,
  nativeRef: { team_id: 'team', team_key: 'ENG', project_id: 'project' },
};
const anything = { allowMutations: true, allowedMutations: [], trust: null };

const NAMES = ['issueUpdate', 'commentCreate', 'issue', 'viewer', 'a', 'Query', 'Mutation', '_'];
const MUTATIONS = {
  allowed: [
    `commentCreate(input: { issueId: "${ID}", body: "x" }) { success }`,
    `issueUpdate(id: "ENG-1", input: { title: "x" }) { success }`,
    `attachmentLinkURL(issueId: "${ID}", url: "https://example.com/1") { success }`,
  ],
  forbidden: [
    `issueDelete(id: "${ID}") { success }`,
    `issueUpdate(id: "${OTHER}", input: { title: "x" }) { success }`,
    `commentCreate(input: { issueId: "${OTHER}", body: "x" }) { success }`,
    `issueUpdate(id: "${ID}", input: { teamId: "x" }) { success }`,
    `commentCreate(input: { issueId: "${ID}", body: "x" }) { comment { issue { description } } }`,
  ],
};
const QUERIES = {
  allowed: [`issue(id: "${ID}") { id title }`, 'viewer { id }', 'workflowStates { nodes { id name } }'],
  forbidden: [
    `issue(id: "${OTHER}") { id }`,
    'issues { nodes { id } }',
    'users { nodes { email } }',
    `issue(id: "${ID}") { team { issues { nodes { id } } } }`,
  ],
};

/** Root fields under other names, in fragments in fragments, in any order. */
function disguised(kind: 'query' | 'mutation', roots: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  const root = kind === 'query' ? 'Query' : 'Mutation';
  const wrap = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `... on ${root} { ${text} }`,
    (text) => `... { ${text} }`,
    (text) => `... @include(if: true) { ${text} }`,
  );
  return fc
    .record({
      roots,
      aliases: fc.array(fc.constantFrom(...NAMES), { minLength: 8, maxLength: 8 }),
      wraps: fc.array(fc.array(wrap, { maxLength: 3 }), { minLength: 8, maxLength: 8 }),
      spread: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      name: fc.constantFrom('', ...NAMES),
    })
    .map(({ roots: fields, aliases, wraps, spread, name }) => {
      const fragments: string[] = [];
      const selections = fields.map((field, index) => {
        const aliased = index % 2 === 0 ? field : `${aliases[index]}${index}: ${field}`;
        const text = (wraps[index] ?? []).reduce((inner, outer) => outer(inner), aliased);
        if (spread[index] !== true) return text;
        fragments.push(`fragment ${aliases[index]}F${index} on ${root} { ${text} }`);
        return `...${aliases[index]}F${index}`;
      });
      return `${kind} ${name} { ${selections.join(' ')} } ${fragments.join(' ')}`;
    });
}

function refusalOf(query: string): unknown {
  try {
    return authoriseRequest(query, {}, issue, anything);
  } catch (error) {
    return error;
  }
}

it.each([
  ['query', QUERIES],
  ['mutation', MUTATIONS],
] as const)(
  'refuses a %s with one forbidden root, however it is disguised',
  (kind, { allowed, forbidden }) => {
    const roots = fc
      .tuple(
        fc.array(fc.constantFrom(...allowed), { maxLength: 5 }),
        fc.constantFrom(...forbidden),
        fc.nat(5),
      )
      .map(([rest, bad, at]) => rest.toSpliced(at, 0, bad));
    fc.assert(
      fc.property(disguised(kind, roots), (query) => {
        expect(refusalOf(query)).toBeInstanceOf(ToolRefusal);
      }),
      { numRuns: 500 },
    );
  },
);

it.each([
  ['query', QUERIES],
  ['mutation', MUTATIONS],
] as const)('lets a %s of allowed roots pass in every form, and finds all of them', (kind, { allowed }) => {
  const roots = fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      roots.chain((fields) => fc.tuple(fc.constant(fields), disguised(kind, fc.constant(fields)))),
      ([fields, query]) => {
        expect(refusalOf(query)).toMatchObject({
          kind,
          rootFields: fields.map((field) => /^\w+/.exec(field)?.[0]),
        });
      },
    ),
    { numRuns: 300 },
  );
});

it('answers any text with a decision, never with an exception of its own', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '(',
    ')',
    '...',
    'on',
    'query',
    'mutation',
    'fragment',
    '$x',
    ':',
    '"',
    '@skip',
    'issue',
    '#',
    '\n',
    '[',
    '!',
    '&',
    '|',
    '"""',
    '\\u',
    '\u2028',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(token).map((tokens) => tokens.join(' ')),
      ),
      (query) => {
        const decision = refusalOf(query);
        if (decision instanceof Error) expect(decision).toBeInstanceOf(ToolRefusal);
      },
    ),
    { numRuns: 1000 },
  );
});
