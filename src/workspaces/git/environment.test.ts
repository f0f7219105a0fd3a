import { expect, test } from 'vitest';
import { gitEnvironment } from './environment.ts';

test('git can neither be redirected nor made to wait for a person', () => {
  const environment = gitEnvironment({
    PATH: '/bin',
    HOME: '/home/x',
    UNSET: undefined,
    GIT_DIR: '/elsewhere',
    GIT_WORK_TREE: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere',
    SSH_ASKPASS: '/usr/bin/window',
    LC_ALL: 'de_DE.UTF-8',
  });
  expect(environment).toEqual({
    PATH: '/bin',
    HOME: '/home/x',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  });
});

test('a program the operator gave for answering prompts stays', () => {
  expect(gitEnvironment({ GIT_ASKPASS: '/opt/askpass' })['GIT_ASKPASS']).toBe('/opt/askpass');
});

test('no secret of the worker reaches git, and what git needs does', () => {
  const needed = {
    SSH_AUTH_SOCK: '/run/agent',
    GIT_SSH_COMMAND: 'ssh -i key',
    https_proxy: 'http://proxy:3128',
    SSL_CERT_FILE: '/etc/ssl/own.pem',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    XDG_CONFIG_HOME: '/home/x/.config',
    GIT_LFS_SKIP_SMUDGE: '1',
  };
  const secrets = {
    LINEAR_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    GITEA_TOKEN: 'c',
    GIT_TOKEN: 'd',
    AIOPS_API_TOKEN: 'e',
    WEBHOOK_SECRET: 'f',
    GIT_PASSWORD: 'g',
    ANTHROPIC_API_KEY: 'h',
  };
  const environment = gitEnvironment({ ...needed, ...secrets });
  expect(environment).toMatchObject(needed);
  expect(Object.keys(environment).filter((name) => Object.hasOwn(secrets, name))).toEqual([]);
});
