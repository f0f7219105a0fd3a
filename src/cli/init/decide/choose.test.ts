import { describe, expect, test } from 'vitest';
import { NO_FACTS } from '../../../../test/integration/init/plan-fixture.ts';
import { AGENT_KINDS } from '../../../runners/registry.ts';
import { linearSlug } from '../../../trackers/linear/setup/plan.ts';
import { TRACKER_KINDS } from '../../../trackers/registry.ts';
import { isRemoteAddress, parseRemote, withoutCredentials } from '../detect/address.ts';
import type { AgentFacts, Facts, ForgeFacts } from '../detect/facts.ts';
import { AGENT_NAMES, TRACKER_NAMES } from '../flags.ts';
import { AGENTS } from '../kinds.ts';
import { agentOptions, tokenVariable, trackerOptions } from './choose.ts';
import { passedVariables } from './plan.ts';

const GITHUB: ForgeFacts = { kind: 'github', endpoint: null, owner: 'octo', name: 'app' };

function facts(part: Partial<Facts>): Facts {
  return { ...NO_FACTS, ...part };
}

describe('trackers', () => {
  test.each([
    ['a forge with its token', { forge: GITHUB, variables: ['GITHUB_TOKEN'] }, 'github'],
    ['a forge without a token', { forge: GITHUB }, 'github'],
    ['a forge without a token beside Linear', { forge: GITHUB, variables: ['LINEAR_API_KEY'] }, 'linear'],
    [
      'a forge by gh beside Linear',
      { forge: GITHUB, variables: ['LINEAR_API_KEY'], lender: 'github' },
      'github',
    ],
    ['no forge, but Linear', { variables: ['LINEAR_API_KEY'] }, 'linear'],
    ['nothing', {}, 'local'],
  ] as const)('%s: the first choice', (_name, part, first) => {
    const options = trackerOptions(facts(part)).map(({ value }) => value);
    expect(options[0]).toBe(first);
    expect(options).toEqual(expect.arrayContaining(['local', 'linear']));
  });

  test.each([
    ['github', [], 'GITHUB_TOKEN'],
    ['github', ['GH_TOKEN'], 'GH_TOKEN'],
    ['github', ['GH_TOKEN', 'GITHUB_TOKEN'], 'GITHUB_TOKEN'],
    ['gitea', ['FORGEJO_TOKEN'], 'FORGEJO_TOKEN'],
    ['linear', [], 'LINEAR_API_KEY'],
    ['local', ['GITHUB_TOKEN'], null],
  ] as const)('%s with %j takes %s', (tracker, variables, name) => {
    expect(tokenVariable(tracker, variables)).toBe(name);
  });
});

describe('agents', () => {
  const agent = (id: AgentFacts['id'], signedIn: boolean | null): AgentFacts => ({
    id,
    program: `/bin/${id}`,
    signedIn,
  });

  test('the signed in come first, then those that cannot say, then the rest, then the mock', () => {
    const agents = [agent('codex', false), agent('gemini', null), agent('claude', true)];
    expect(agentOptions({ agents }).map(({ value }) => value)).toEqual(['claude', 'gemini', 'codex', 'mock']);
  });

  test('only variables that are set are passed on, and no token of a tracker', () => {
    const variables = [
      'ANTHROPIC_API_KEY',
      'GITHUB_TOKEN',
      'HTTPS_PROXY',
      'OPENAI_API_KEY',
      'CLAUDE_CODE_SSE_PORT',
    ];
    expect(passedVariables('claude', variables)).toEqual(['ANTHROPIC_API_KEY', 'HTTPS_PROXY']);
    expect(passedVariables('codex', variables)).toEqual(['OPENAI_API_KEY', 'HTTPS_PROXY']);
    expect(passedVariables('mock', variables)).toEqual([]);
  });
});

test('every tracker and agent of the registries can be named, and no name means two', () => {
  expect(new Set(TRACKER_NAMES.values())).toEqual(new Set(TRACKER_KINDS.map(({ kind }) => kind)));
  expect(new Set(AGENTS.map(({ kind }) => kind))).toEqual(new Set(AGENT_KINDS));
  expect([...TRACKER_NAMES.keys()]).toEqual(['github', 'gitea', 'forgejo', 'linear', 'local']);
  const agents = ['codex', 'codex-app-server', 'claude', 'gemini', 'opencode', 'mock'];
  expect([...AGENT_NAMES.keys()]).toEqual(agents);
});

describe('addresses', () => {
  test.each([
    ['https://github.com/octo/app.git', 'github.com', 'https://github.com'],
    ['git@github.com:octo/app.git', 'github.com', 'https://github.com'],
    ['ssh://git@git.example.org:2222/octo/app.git', 'git.example.org', 'https://git.example.org'],
    ['http://127.0.0.1:3000/octo/app', '127.0.0.1', 'http://127.0.0.1:3000'],
    ['https://user:secret@git.example.org/octo/app', 'git.example.org', 'https://git.example.org'],
  ])('%s is a repository of %s', (url, host, origin) => {
    expect(parseRemote(url)).toEqual({ host, origin, owner: 'octo', name: 'app' });
    expect(isRemoteAddress(url)).toBe(true);
  });

  test.each(['/srv/git/app.git', '../app', './a:b', 'file:///srv/git/app.git', 'https://example.org/app'])(
    '%s has no forge',
    (url) => expect(parseRemote(url)).toBeNull(),
  );

  test.each([
    ['https://me:secret@git.example.org/octo/app.git', 'https://git.example.org/octo/app.git'],
    ['https://token@git.example.org/octo/app.git', 'https://git.example.org/octo/app.git'],
    ['git@git.example.org:octo/app.git', 'git@git.example.org:octo/app.git'],
    ['ssh://git@git.example.org/octo/app.git', 'ssh://git@git.example.org/octo/app.git'],
    ['https://git.example.org/octo/app.git', 'https://git.example.org/octo/app.git'],
    ['/a path/with@sign', '/a path/with@sign'],
  ])('%s goes into the file as %s', (url, written) => expect(withoutCredentials(url)).toBe(written));

  test.each([
    ['https://linear.app/acme/project/site-0123abcd/overview', 'site-0123abcd'],
    ['https://linear.app/acme/project/site-0123abcd?x=1', 'site-0123abcd'],
    [' site-0123abcd ', 'site-0123abcd'],
  ])('the project %s', (given, slug) => expect(linearSlug(given)).toBe(slug));
});
