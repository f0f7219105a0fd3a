import { describe, expect, it } from 'vitest';
import { authorises } from './credentials.ts';

const TOKEN = 'dummy-token:with-colon';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('authorises', () => {
  it.each([`Bearer ${TOKEN}`, `bearer  ${TOKEN}`, `BEARER ${TOKEN} `, basic(`aiops:${TOKEN}`)])(
    'accepts %s',
    (header) => expect(authorises(header, TOKEN)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Digest ${TOKEN}`,
    basic(`other:${TOKEN}`),
    basic(`aiops:${TOKEN}x`),
    basic('aiops:'),
    basic(TOKEN),
    'Basic !!!!',
  ])('refuses %s', (header) => expect(authorises(header, TOKEN)).toBe(false));

  it('compares non-ASCII tokens by their bytes', () => {
    expect(authorises(basic('aiops:schlüssel'), 'schlüssel')).toBe(true);
    expect(authorises(basic('aiops:schlussel'), 'schlüssel')).toBe(false);
  });
});
