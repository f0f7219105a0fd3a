import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import type { Environment } from '../read/environment.ts';
import type { Evaluation } from '../read/evaluate.ts';

const KEYS = {
  GITHUB_TOKEN: 'dummy-github',
  GITEA_TOKEN: 'dummy-gitea',
  LINEAR_API_KEY: 'dummy-linear',
  PUSH: 'dummy-push',
};

function evaluate(frontMatter: string, environment: Environment = {}): Evaluation {
  return evaluateWorkflow(`---\n${frontMatter}\n---\nhello`, {
    file: '/project/WORKFLOW.md',
    environment: { HOME: '/home/me', ...KEYS, ...environment },
  });
}

const LINEAR = 'tracker: {kind: linear, project_slug: app}';
const repo = (url: string, more = ''): string => `repo: {clone_url: "${url}"${more}}`;

describe('the forge', () => {
  it.each([
    [
      'github.com beside its own tracker',
      `tracker: {kind: github}\n${repo('https://github.com/octo/app.git')}`,
      {},
      'github',
      'https://api.github.com',
      'dummy-github',
    ],
    [
      'github.com over ssh',
      `tracker: {kind: github}\n${repo('git@github.com:octo/app.git')}`,
      {},
      'github',
      'https://api.github.com',
      'dummy-github',
    ],
    [
      'github.com beside Linear',
      `${LINEAR}\n${repo('https://github.com/octo/app', ', token: $PUSH')}`,
      {},
      'github',
      'https://api.github.com',
      'dummy-push',
    ],
    [
      'github.com beside Linear, without a token',
      `${LINEAR}\n${repo('https://github.com/octo/app')}`,
      {},
      'github',
      'https://api.github.com',
      null,
    ],
    [
      'a password in the address',
      `${LINEAR}\n${repo('https://bot:dummy-word@github.com/octo/app')}`,
      {},
      'github',
      'https://api.github.com',
      'dummy-word',
    ],
    [
      'a proxy of the API',
      `tracker: {kind: github}\n${repo('https://github.com/octo/app')}`,
      { GITHUB_API_BASE_URL: 'http://127.0.0.1:9/' },
      'github',
      'http://127.0.0.1:9',
      'dummy-github',
    ],
    [
      'an Enterprise Server beside its tracker',
      `tracker: {kind: github, endpoint: "https://ghe.test/api/v3"}\n${repo('ssh://git@ghe.test:2222/octo/app')}`,
      {},
      'github',
      'https://ghe.test/api/v3',
      'dummy-github',
    ],
    [
      'an Enterprise Server beside Linear',
      `${LINEAR}\n${repo('https://ghe.test/octo/app', ', token: $PUSH')}\nforge: {kind: github}`,
      {},
      'github',
      'https://ghe.test/api/v3',
      'dummy-push',
    ],
    [
      'github.com while the tracker is an Enterprise Server',
      `tracker: {kind: github, endpoint: "https://ghe.test/api/v3"}\n${repo('https://github.com/octo/app')}`,
      {},
      'github',
      'https://api.github.com',
      null,
    ],
    [
      'Gitea beside its tracker',
      `tracker: {kind: gitea, endpoint: "https://git.test:8443"}\n${repo('https://git.test:8443/octo/app')}`,
      {},
      'gitea',
      'https://git.test:8443',
      'dummy-gitea',
    ],
    [
      'Gitea over ssh',
      `tracker: {kind: gitea, endpoint: "https://git.test:8443"}\n${repo('git@git.test:octo/app.git')}`,
      {},
      'gitea',
      'https://git.test:8443',
      'dummy-gitea',
    ],
    [
      'Forgejo beside local issues',
      `tracker: {kind: local}\n${repo('http://localhost:3000/octo/app', ', token: $PUSH')}\nforge: {kind: gitea}`,
      {},
      'gitea',
      'http://localhost:3000',
      'dummy-push',
    ],
    [
      'Forgejo whose address is a variable',
      `tracker: {kind: local}\n${repo('https://git.test/octo/app', ', token: $PUSH')}`,
      { GITEA_BASE_URL: 'https://git.test' },
      'gitea',
      'https://git.test',
      'dummy-push',
    ],
    [
      'Forgejo over ssh beside local issues',
      `tracker: {kind: local}\n${repo('git@git.test:octo/app', ', token: $PUSH')}\nforge: {kind: gitea}`,
      {},
      'gitea',
      'https://git.test',
      'dummy-push',
    ],
    [
      'a written address',
      `${LINEAR}\n${repo('git@git.test:octo/app', ', token: $PUSH')}\nforge: {kind: gitea, endpoint: "https://web.test/git/"}`,
      {},
      'gitea',
      'https://web.test/git',
      'dummy-push',
    ],
    [
      'a folder that stands for a forge',
      `tracker: {kind: gitea, endpoint: "http://localhost:3000"}\n${repo('/srv/app.git', ', owner: octo, name: app')}\nforge: {kind: gitea}`,
      {},
      'gitea',
      'http://localhost:3000',
      'dummy-gitea',
    ],
  ])('is %s', (_what, frontMatter, environment, kind, endpoint, token) => {
    const { config, problems } = evaluate(frontMatter, environment as Environment);
    expect(problems).toEqual([]);
    expect(config.forge).toMatchObject({ kind, endpoint, repository: { owner: 'octo', name: 'app' } });
    expect(config.forge.token?.reveal() ?? null).toBe(token);
  });

  it.each([
    ['there is no repository', 'tracker: {kind: github, provider: {repo: octo/app}}'],
    [
      'the repository is a folder',
      `tracker: {kind: github}\n${repo('/srv/app.git', ', owner: octo, name: app')}`,
    ],
    ['nobody knows the host', `${LINEAR}\n${repo('https://git.test/octo/app', ', token: $PUSH')}`],
    [
      'it is another port of the same machine',
      `tracker: {kind: gitea, endpoint: "http://localhost:3000"}\n${repo('http://localhost:4000/octo/app')}`,
    ],
    [
      'it is not wanted',
      `tracker: {kind: github}\n${repo('https://github.com/octo/app')}\nforge: {kind: none}`,
    ],
  ])('is none when %s', (_what, frontMatter) => {
    const { config, problems } = evaluate(frontMatter);
    expect(problems).toEqual([]);
    expect(config.forge).toEqual({ kind: 'none', endpoint: null, repository: null, token: null });
  });

  it.each([
    [
      'an unknown kind',
      `${LINEAR}\n${repo('https://git.test/octo/app')}\nforge: {kind: gitlab}`,
      'forge.kind',
    ],
    [
      'an address that is none',
      `${LINEAR}\n${repo('https://git.test/octo/app')}\nforge: {kind: gitea, endpoint: "git.test"}`,
      'forge.endpoint',
    ],
    [
      'an address with a password',
      `${LINEAR}\n${repo('https://git.test/octo/app')}\nforge: {kind: gitea, endpoint: "https://a:b@git.test"}`,
      'forge.endpoint',
    ],
    [
      'an address without a kind',
      `${LINEAR}\n${repo('https://git.test/octo/app')}\nforge: {endpoint: "https://git.test"}`,
      'forge.kind',
    ],
    [
      'a folder without an owner',
      `${LINEAR}\n${repo('/srv/app.git')}\nforge: {kind: gitea, endpoint: "https://git.test"}`,
      'forge.kind',
    ],
    [
      'a folder without an address',
      `${LINEAR}\n${repo('/srv/app.git', ', owner: octo, name: app')}\nforge: {kind: gitea}`,
      'forge.endpoint',
    ],
    [
      'a variable that is not set',
      `${LINEAR}\n${repo('https://git.test/octo/app')}\nforge: {kind: gitea, endpoint: $NOWHERE}`,
      'forge.endpoint',
    ],
  ])('refuses %s', (_what, frontMatter, key) => {
    expect(evaluate(frontMatter).problems).toMatchObject([{ key, hint: expect.stringMatching(/\w/) }]);
  });

  it('says when nothing to sign in with is known, unless no forge is wanted', () => {
    const workflow = `${LINEAR}\n${repo('git@github.com:octo/app')}`;
    expect(evaluate(workflow).warnings).toMatchObject([
      {
        key: 'repo.token',
        message: expect.stringContaining('pull requests'),
        hint: expect.stringContaining('forge.kind: none'),
      },
    ]);
    expect(evaluate(`${workflow}\nforge: {kind: none}`).warnings).toEqual([]);
    expect(evaluate(`${LINEAR}\n${repo('git@github.com:octo/app', ', token: $PUSH')}`).warnings).toEqual([]);
  });

  it('keeps the variable of repo.token from agents, by name', () => {
    const { config } = evaluate(`${LINEAR}\n${repo('https://github.com/octo/app', ', token: $PUSH')}`);
    expect(config.secrets).toContainEqual(expect.objectContaining({ key: 'repo.token', variable: 'PUSH' }));
  });
});
