import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBelow } from '../../process/inside-folder.ts';
import { mirrorPath, repositoryIdentity, stripUrlCredentials } from './repository-url.ts';

describe('repository identity', () => {
  test.each([
    ['https://github.com/acme/shop.git', 'github.com/acme/shop'],
    ['https://x-token:abc@GitHub.com/acme/shop', 'github.com/acme/shop'],
    ['https://github.com:443/acme/shop/', 'github.com/acme/shop'],
    ['ssh://git@github.com:22/acme/shop.git', 'github.com/acme/shop'],
    ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
    ['http://gitea.local:3000/acme/shop.git', 'gitea.local:3000/acme/shop'],
    ['file:///srv/git/shop.git', 'local/srv/git/shop'],
    ['/srv/git/shop.git', 'local/srv/git/shop'],
  ])('%s is %s', (url, identity) => {
    expect(repositoryIdentity(url)).toBe(identity);
  });
});

describe('mirror paths', () => {
  test('are readable for an ordinary repository', () => {
    expect(mirrorPath('/cache', 'github.com/acme/shop')).toBe('/cache/github.com/acme/shop.shared.git');
  });

  test('stay inside the mirror root for any URL', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '//',
      '\\',
      'a',
      'b.git',
      '@',
      ':',
      '%2e',
      '~',
      ' ',
      '\0',
      'x'.repeat(300),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom('', 'https://', 'ssh://', 'git@h:', 'file:///'),
        (parts, scheme) => {
          const path = mirrorPath('/cache', repositoryIdentity(scheme + parts.join('')));
          expect(isBelow(path, '/cache')).toBe(true);
          expect(path).not.toMatch(/\/\.\.?(\/|$)/);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('do not merge repositories whose names clean up alike', () => {
    expect(mirrorPath('/cache', 'h/a b')).not.toBe(mirrorPath('/cache', 'h/a_b'));
    expect(mirrorPath('/cache', 'h:1/a')).not.toBe(mirrorPath('/cache', 'h_1/a'));
  });
});

describe('credentials in URLs', () => {
  test.each([
    [
      "fatal: unable to access 'https://user:s3cret@host/a.git/': 403",
      "fatal: unable to access 'https://host/a.git/': 403",
    ],
    ['ssh://git:pw@host/x and http://token@other/y', 'ssh://host/x and http://other/y'],
    ['https://a:p@ss@host/x', 'https://host/x'],
    ['no url here, me@example.com', 'no url here, me@example.com'],
  ])('are taken out of %s', (text, clean) => {
    expect(stripUrlCredentials(text)).toBe(clean);
  });
});
