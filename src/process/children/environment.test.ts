import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AGENT_ENV_DENY_LIST, BASELINE_ENVIRONMENT, buildChildEnvironment } from './environment.ts';

const nothing = { passthrough: [], denyNames: [], denyValues: [], extra: {} };

test('both lists are pinned: a change to them is a decision', () => {
  expect(BASELINE_ENVIRONMENT).toEqual('PATH HOME USER LANG LC_ALL LC_CTYPE TZ TERM TMPDIR'.split(' '));
  expect(AGENT_ENV_DENY_LIST).toEqual(
    'AIOPS_STATE_API_READ_TOKEN AIOPS_STATE_API_TOKEN GH_TOKEN GITEA_API_TOKEN GITEA_TOKEN GITHUB_PAT GITHUB_TOKEN LINEAR_API_KEY LINEAR_TOKEN'.split(
      ' ',
    ),
  );
});

test('only the baseline, what was asked for and the extras come through', () => {
  const source = { PATH: '/bin', HOME: '/home/me', EDITOR: 'vi', OPENAI_API_KEY: 'dummy', UNSET: undefined };
  expect(
    buildChildEnvironment({
      ...nothing,
      source,
      passthrough: ['OPENAI_API_KEY', 'UNSET', 'MISSING'],
      extra: { HOME: '/tmp/home', AIOPS_RUN_OWNER: 'me' },
    }),
  ).toEqual({ PATH: '/bin', HOME: '/tmp/home', OPENAI_API_KEY: 'dummy', AIOPS_RUN_OWNER: 'me' });
});

test('another baseline replaces the usual one', () => {
  expect(
    buildChildEnvironment({
      ...nothing,
      source: { PATH: '/bin', CODEX_HOME: '/c' },
      baseline: ['CODEX_HOME'],
    }),
  ).toEqual({ CODEX_HOME: '/c' });
});

test('tracker credentials are refused by name, in any case, whoever asks (R-10.5-n, R-15.3-e)', () => {
  const names = [...AGENT_ENV_DENY_LIST, 'github_token', 'My_Tracker_Key'];
  const source = Object.fromEntries(names.map((name) => [name, 'dummy']));
  expect(
    buildChildEnvironment({
      source,
      baseline: names,
      passthrough: names,
      denyNames: ['MY_TRACKER_KEY'],
      denyValues: [],
      extra: source,
    }),
  ).toEqual({});
});

test('a secret is refused by value under any name, also inside another value', () => {
  const secret = 'dummy-secret-1';
  const source = {
    A: secret,
    B: `https://user:${secret}@example.test/`,
    C: ` ${secret}\n`,
    D: 'dummy-secret',
  };
  expect(
    buildChildEnvironment({
      ...nothing,
      source,
      passthrough: Object.keys(source),
      denyValues: [secret],
      extra: { E: secret },
    }),
  ).toEqual({ D: 'dummy-secret' });
});

test('a short or empty secret does not empty the environment', () => {
  expect(
    buildChildEnvironment({
      ...nothing,
      source: { PATH: '/usr/bin', HOME: 'usr', LANG: '' },
      denyValues: ['usr', ''],
    }),
  ).toEqual({ PATH: '/usr/bin', LANG: '' });
});

test('names and values that no environment can hold do not stop a start', () => {
  expect(
    buildChildEnvironment({
      ...nothing,
      source: {},
      extra: { 'A=B': 'x', '': 'x', 'N\0': 'x', TITLE: 'a\0b' },
    }),
  ).toEqual({ TITLE: 'ab' });
});

test('a name that objects have anyway is not a variable', () => {
  expect(
    buildChildEnvironment({ ...nothing, source: {}, passthrough: ['constructor', '__proto__', 'toString'] }),
  ).toEqual({});
});

test('whatever is asked for, no secret comes out', () => {
  const name = fc.constantFrom('PATH', 'HOME', 'X', 'gh_token', 'LINEAR_API_KEY', 'KEY');
  const value = fc.constantFrom('plain', 'secret-0123456789', 'prefix secret-0123456789 suffix', 's');
  fc.assert(
    fc.property(
      fc.dictionary(name, value),
      fc.array(name),
      fc.dictionary(name, value),
      (source, passthrough, extra) => {
        const built = buildChildEnvironment({
          source,
          passthrough,
          denyNames: ['key'],
          denyValues: ['secret-0123456789', 's'],
          extra,
        });
        expect(Object.values(built).every((kept) => kept === 'plain')).toBe(true);
        expect(Object.keys(built).every((kept) => ['PATH', 'HOME', 'X'].includes(kept))).toBe(true);
      },
    ),
  );
});
