import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'LOCALHOST:4000',
    '127.0.0.1',
    '127.0.0.1:4000',
    '127.9.8.7',
    '[::1]',
    '[::1]:4000',
    '[::ffff:127.0.0.1]',
  ])('accepts %s', (host) => expect(isLoopbackHost(host)).toBe(true));

  it.each([
    '',
    'localhost.evil.example',
    'evil.example:4000',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    '0.0.0.0',
    '10.0.0.1:4000',
    '::1',
    '[::2]',
    '[127.0.0.1]',
    '[::1',
    'localhost:4000:1',
    'user@localhost',
    'localhost/',
    'localhost, evil.example',
  ])('refuses "%s"', (host) => expect(isLoopbackHost(host)).toBe(false));
});

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])('accepts %s', (address) =>
    expect(isLoopbackAddress(address)).toBe(true),
  );

  it.each(['', 'localhost', '192.168.1.5', '::ffff:192.168.1.5', '::', 'fe80::1'])(
    'refuses "%s"',
    (address) => expect(isLoopbackAddress(address)).toBe(false),
  );
});
