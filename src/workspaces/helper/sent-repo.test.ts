import { expect, test } from 'vitest';
import type { RepoConfig } from '../../config/config.ts';
import { Secret } from '../../config/resolve/secret.ts';
import { receiveRepo, sendRepo } from './sent-repo.ts';

const REPO: RepoConfig = {
  owner: 'acme',
  name: 'shop',
  cloneUrl: 'https://forge.invalid/acme/shop.git',
  defaultBranch: 'main',
  push: 'worker',
  token: new Secret('dummy-token'),
  credential: {
    source: 'repo.token',
    username: new Secret('dummy-user'),
    password: new Secret('dummy-password'),
  },
};

test('a repository crosses between processes with its secrets, and they are secrets again', () => {
  const received = receiveRepo(structuredClone(sendRepo(REPO)));
  expect(received?.token?.reveal()).toBe('dummy-token');
  expect(received?.credential?.username.reveal()).toBe('dummy-user');
  expect(received?.credential?.password?.reveal()).toBe('dummy-password');
  expect(JSON.stringify(received)).toBe(JSON.stringify(REPO));
  expect(JSON.stringify(received)).not.toContain('dummy');
});

test.each([null, { ...REPO, token: null, credential: null }])('and so does one without', (repo) => {
  expect(receiveRepo(structuredClone(sendRepo(repo)))).toEqual(repo);
});
