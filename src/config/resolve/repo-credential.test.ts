import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';

const ENVIRONMENT = { HOME: '/home/x', GITHUB_TOKEN: 'dummy-hub', GITEA_TOKEN: 'dummy-tea', T: 'dummy-repo' };

function repoOf(repo: string, tracker = '{kind: local}') {
  const text = `---\nrepo: ${repo}\ntracker: ${tracker}\n---\nDo it.`;
  const { config, problems } = evaluateWorkflow(text, {
    file: '/flows/WORKFLOW.md',
    environment: ENVIRONMENT,
  });
  expect(problems).toEqual([]);
  const credential = config?.repo?.credential ?? null;
  return {
    url: config?.repo?.cloneUrl,
    source: credential?.source ?? null,
    user: credential?.username.reveal() ?? null,
    password: credential?.password?.reveal() ?? null,
    text: JSON.stringify(config),
  };
}

describe('who the worker is to the host of the repository', () => {
  it('the clone address goes first, and keeps neither user nor password', () => {
    const found = repoOf('{clone_url: "https://bot:p%40ss@github.com/o/n.git", token: $T}', '{kind: github}');
    expect(found).toMatchObject({
      url: 'https://github.com/o/n.git',
      source: 'clone_url',
      user: 'bot',
      password: 'p@ss',
    });
    expect(found.text).not.toMatch(/p%40ss|p@ss|dummy-/);
  });

  it('then repo.token, under the name in the address if there is one', () => {
    expect(repoOf('{clone_url: "https://github.com/o/n", token: $T}', '{kind: github}')).toMatchObject({
      source: 'repo.token',
      user: 'x-access-token',
      password: 'dummy-repo',
    });
    expect(repoOf('{clone_url: "https://me@git.example/o/n", token: $T}')).toMatchObject({
      url: 'https://git.example/o/n',
      user: 'me',
      password: 'dummy-repo',
    });
  });

  it.each([
    ['github.com of api.github.com', 'https://github.com/o/n', '{kind: github}', 'dummy-hub'],
    [
      'an enterprise server',
      'https://ghe.example/o/n',
      '{kind: github, endpoint: "https://ghe.example/api/v3"}',
      'dummy-hub',
    ],
    ['a Gitea', 'http://127.0.0.1:3000/o/n', '{kind: gitea, endpoint: "http://127.0.0.1:3000"}', 'dummy-tea'],
    ['another host', 'https://gitlab.example/o/n', '{kind: github}', null],
    ['another port', 'http://127.0.0.1:4000/o/n', '{kind: gitea, endpoint: "http://127.0.0.1:3000"}', null],
    ['the same host in the clear', 'http://github.com/o/n', '{kind: github}', null],
    ['ssh', 'git@github.com:o/n.git', '{kind: github}', null],
  ])('then the key of the tracker, for %s', (_, url, tracker, password) => {
    expect(repoOf(`{clone_url: "${url}", owner: o, name: n}`, tracker).password).toBe(password);
  });

  it('a user alone leaves the password to helpers of git; an ssh user stays in the address', () => {
    expect(repoOf('{clone_url: "https://me@git.example/o/n"}')).toMatchObject({ user: 'me', password: null });
    expect(repoOf('{clone_url: "ssh://git@git.example/o/n"}')).toMatchObject({
      url: 'ssh://git@git.example/o/n',
      source: null,
    });
  });
});
