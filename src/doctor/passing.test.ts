import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { mayHeal } from './passing.ts';

test.each([
  // Over git's own protocol, ssh and http, as git and its helpers say it.
  'fatal: unable to connect to 127.0.0.1:',
  'fatal: unable to look up forge.invalid (port 9418) (Name or service not known)',
  'ssh: Could not resolve hostname forge.invalid: Temporary failure in name resolution',
  'ssh: connect to host forge.invalid port 22: No route to host',
  'ssh: connect to host forge.invalid port 22: Connection timed out',
  'ssh: connect to host forge.invalid port 22: Operation timed out',
  "fatal: unable to access 'https://forge.invalid/': Could not resolve host: forge.invalid",
  "fatal: unable to access 'http://127.0.0.1:1/': Failed to connect to 127.0.0.1 port 1: Connection refused",
  "fatal: unable to access 'https://forge.invalid/': Couldn't connect to server",
  'fatal: unable to access: The requested URL returned error: 503',
])('a remote that cannot be reached may be there later: %s', (said) => {
  expect(mayHeal(new AppError('git_failed', `asking for its branches failed: ${said}`))).toBe(true);
});

test.each([
  'fatal: repository not found',
  "fatal: Authentication failed for 'https://forge.invalid/'",
  'git@forge.invalid: Permission denied (publickey).',
  'fatal: unable to access: The requested URL returned error: 403',
])('one that refuses does not become another by waiting: %s', (said) => {
  expect(mayHeal(new AppError('git_failed', said))).toBe(false);
});

test('other errors heal by their code and status', () => {
  expect(mayHeal(new AppError('tracker_status', 'x', { context: { status: 502 } }))).toBe(true);
  expect(mayHeal(new AppError('tracker_status', 'x', { context: { status: 404 } }))).toBe(false);
  expect(mayHeal(new AppError('tracker_request', 'x'))).toBe(true);
  expect(mayHeal(new Error('connection refused'))).toBe(false);
});
