import { expect, test } from 'vitest';
import { gitEnvironment } from './git-environment.ts';

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
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  });
});

test('a program the operator gave for answering prompts stays', () => {
  expect(gitEnvironment({ GIT_ASKPASS: '/opt/askpass' })['GIT_ASKPASS']).toBe('/opt/askpass');
});
