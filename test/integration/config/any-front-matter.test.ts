import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Evaluation } from '../../../src/config/read/evaluate.ts';
import { removedKeys } from '../../../src/config/read/removed-keys.ts';
import { leafKeys } from '../../../src/config/schema/shape.ts';
import { configView } from '../../../src/config/show/view.ts';
import { quietCpuMs } from '../../fakes/measured-time.ts';
import { evaluateWorkflow, WORKFLOW_FORMAT } from '../../fakes/workflow-file.ts';

const FILE = '/flows/WORKFLOW.md';
const SECRET = 'dummy-7f3a9c-secret';
const ENVIRONMENT = { HOME: '/home/me', DUMMY_SECRET: SECRET, EMPTY: '', LINEAR_API_KEY: `${SECRET}-2` };

function evaluate(source: string): Evaluation {
  return evaluateWorkflow(source, { file: FILE, environment: ENVIRONMENT });
}

/** What holds for every file: it loads, or it says what is wrong and where. */
function check(source: string): void {
  const evaluation = evaluate(source);
  const { problems, warnings, config } = evaluation;
  const lines = source.split('\n').length;
  for (const { file, line, message, hint, code } of [...problems, ...warnings]) {
    expect(file).toBe(FILE);
    expect(message.trim()).not.toBe('');
    expect(hint.trim()).not.toBe('');
    expect(code).toMatch(/^[a-z_]+$/);
    if (line !== null) expect(line >= 1 && line <= lines).toBe(true);
  }
  const shown = `${inspect([problems, warnings], { depth: 9 })}${JSON.stringify(configView(evaluation))}${inspect(config.tracker.apiKey)}`;
  expect(shown).not.toContain(SECRET);
}

const KEYS = [
  ...leafKeys(WORKFLOW_FORMAT.schema),
  ...Object.keys(removedKeys(WORKFLOW_FORMAT.kinds)),
  'agent.budgets',
  'tracker.provider',
  'hooks',
];

const odd = fc.constantFrom<unknown>(
  '$DUMMY_SECRET',
  '\u0024{DUMMY_SECRET}',
  '$EMPTY',
  '$UNSET',
  `https://user:${SECRET}@host/x`,
  '',
  ' ',
  '~/x',
  -1,
  0,
  1e308,
  Number.NaN,
  null,
  true,
  'yes',
  [],
  {},
  [null],
  { commands: [] },
  '__proto__',
  'local',
  'linear',
  'github',
  'constructor',
  ['PATH', 'DUMMY_SECRET', 'GITHUB_TOKEN'],
);
const value = fc.oneof(
  odd,
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.double(),
  fc.array(fc.oneof(odd, fc.string()), { maxLength: 4 }),
  fc.object({ maxDepth: 3, maxKeys: 4 }),
);
const credential = fc.tuple(
  fc.constantFrom('tracker.api_key', 'tracker.provider.api_key', 'tracker.provider.token'),
  fc.constantFrom<unknown>(SECRET, '$DUMMY_SECRET', [SECRET], { a: SECRET }),
);
const ordinary = fc.tuple(
  fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...KEYS), fc.string({ maxLength: 12 })),
  value,
);

const entry = fc.oneof({ weight: 5, arbitrary: ordinary }, { weight: 1, arbitrary: credential });

/** Some real and some made-up keys at their places. */
const tree = fc.array(entry, { maxLength: 12 }).map((entries) => {
  const root: Record<string, unknown> = {};
  for (const [key, leaf] of entries) {
    const names = key.split('.');
    let holder = root;
    for (const name of names.slice(0, -1)) {
      const inner = Object.hasOwn(holder, name) ? holder[name] : undefined;
      const next = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {};
      Object.defineProperty(holder, name, {
        value: next,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      holder = next as Record<string, unknown>;
    }
    const last = names.at(-1) ?? '';
    Object.defineProperty(holder, last, {
      value: leaf,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return root;
});

const GOOD = `tracker:\n  kind: linear\n  project_slug: &s x\n  api_key: $DUMMY_SECRET\nrepo:\n  clone_url: "https://h/a/b"\nagent: {max_turns: 3, default: mock}\nhooks:\n  before_run: |\n    one\n    two\n`;

describe('any front matter', () => {
  it('made of keys and values loads or is explained', () => {
    fc.assert(
      fc.property(tree, fc.string(), (keys, body) => check(`---\n${stringify(keys)}---\n${body}`)),
      { numRuns: 200 },
    );
  });

  it('made of any text loads or is explained', () => {
    const text = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 100 }));
    fc.assert(
      fc.property(text, fc.constantFrom('---\n', '', '---\r\n', '\uFEFF---\n'), (front, fence) =>
        check(`${fence}${front}\n---\nbody`),
      ),
      { numRuns: 200 },
    );
  });

  it('made by a typing accident loads or is explained', () => {
    const bits = fc.constantFrom(
      ...':-[]{}&*!|>%@`"\'#,? \t\n'.split(''),
      '<<: *s\n',
      '&a ',
      '*a',
      '$DUMMY_SECRET',
      '---\n',
    );
    fc.assert(
      fc.property(fc.nat(GOOD.length), fc.nat(30), bits, (at, cut, bit) =>
        check(`---\n${GOOD.slice(0, at)}${bit}${GOOD.slice(at + cut)}---\nbody`),
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['many keys', (size: number) => Array.from({ length: size / 10 }, (_, n) => `key${n}: v`).join('\n')],
    ['a long list', (size: number) => `tracker:\n  active_states:\n${'    - v\n'.repeat(size / 8)}`],
    ['a long flow list', (size: number) => `a: [${'1,'.repeat(size / 2)}]`],
    ['deep brackets', (size: number) => `a: ${'['.repeat(size)}`],
    ['deep dashes', (size: number) => '- '.repeat(size / 2)],
    ['deep question marks', (size: number) => '? '.repeat(size / 2)],
    ['many errors', (size: number) => 'a: ]\n'.repeat(size / 5)],
    ['tabs', (size: number) => `a:\n${'\t- b\n'.repeat(size / 5)}`],
    ['directives', (size: number) => '%X\n'.repeat(size / 3)],
    ['blank lines', (size: number) => `${'\n'.repeat(size)}a: 1`],
    ['aliases', (size: number) => `b: &b [1,2,3,4,5]\nk: [${'*b,'.repeat(size / 3)}]`],
    ['one long word', (size: number) => `tracker: {kind: ${'x'.repeat(size)}}`],
    ['one long key', (size: number) => `${'x'.repeat(size)}: 1`],
  ])('is decided in a second, also a large one: %s', async (_, make) => {
    for (const size of [60_000, 1_000_000]) {
      const source = `---\n${make(size)}\n---\nbody`;
      expect(await quietCpuMs(() => check(source))).toBeLessThan(1000);
    }
  });
});
