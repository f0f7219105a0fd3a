import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

/** Dummies are put together here, so that no scanner takes this file for a leak. */
const fill = (length: number): string => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'.repeat(4).slice(0, length);
const privateKey = (kind: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${fill(64)}\n${fill(40)}\n-----END ${kind}PRIVATE KEY-----`;

type Embed = (secret: string) => string;
const between: Embed = (secret) => `before ${secret} after`;

const SECRETS: readonly (readonly [what: string, secret: string, embed?: Embed])[] = [
  ['OpenAI key', `sk-${fill(40)}`],
  ['OpenAI project key', `sk-proj-${fill(40)}`],
  ['Anthropic key', `sk-ant-api03-${fill(60)}`],
  ['GitHub classic token', `ghp_${fill(36)}`],
  ['GitHub user token', `ghu_${fill(36)}`],
  ['GitHub server token', `ghs_${fill(36)}`],
  ['GitHub OAuth token', `gho_${fill(36)}`],
  ['GitHub refresh token', `ghr_${fill(36)}`],
  ['GitHub fine-grained token', `github_pat_${fill(22)}_${fill(59)}`],
  ['GitLab token', `glpat-${fill(20)}`],
  ['Slack bot token', `xoxb-123456789012-${fill(24)}`],
  ['Slack user token', `xoxp-123456789012-${fill(24)}`],
  ['Linear key', `lin_api_${fill(40)}`],
  ['Linear OAuth token', `lin_oauth_${fill(64)}`],
  ['npm token', `npm_${fill(36)}`],
  ['AWS access key id', `AKIA${'ABCDEFGH23456789'}`],
  ['AWS session key id', `ASIA${'ABCDEFGH23456789'}`],
  ['AWS secret', fill(40), (secret) => `AWS_SECRET_ACCESS_KEY=${secret}`],
  ['Google key', `AIza${fill(35)}`],
  ['Google access token', `ya29.${fill(60)}`],
  ['JSON web token', `eyJ${fill(20)}.eyJ${fill(40)}.${fill(43)}`],
  [
    'JSON web token behind a name',
    `eyJ${fill(20)}.eyJ${fill(40)}.${fill(43)}`,
    (secret) => `id_token-${secret}.`,
  ],
  ['private key', privateKey('')],
  ['RSA private key', privateKey('RSA ')],
  ['OpenSSH private key', privateKey('OPENSSH ')],
  ['private key cut off', fill(64), (secret) => `-----BEGIN EC PRIVATE KEY-----\n${secret}\n`],
  ['bearer token', fill(24), (secret) => `sent Bearer ${secret} to it`],
  ['authorization header', fill(12), (secret) => `Authorization: Basic ${secret}==`],
  ['authorization in JSON', fill(12), (secret) => `{"authorization":"token ${secret}","a":1}`],
  ['cookie header', fill(12), (secret) => `Cookie: session=${secret}; theme=dark`],
  ['Gitea header', fill(40), (secret) => `X-Api-Key: ${secret}`],
  ['URL with user and password', 'hunter22', (secret) => `cloning https://ada:${secret}@example.com/a.git`],
  ['URL with a token as user', fill(20), (secret) => `git push https://${secret}@example.com/a.git failed`],
  ['URL whose password has an @', 'hunt@er22', (secret) => `https://ada:${secret}@example.com/a.git`],
  ['query parameter', fill(10), (secret) => `GET /a?access_token=${secret}&page=2`],
  ['environment variable', fill(10), (secret) => `LINEAR_API_KEY=${secret} GITEA_TOKEN='${secret}'`],
  ['environment variable in JSON', fill(10), (secret) => `{"GITHUB_TOKEN":"${secret}"}`],
];

describe('redaction by shape', () => {
  const { redact } = createRedactor();

  const cases = SECRETS.map(([what, secret, embed = between]) => ({ what, secret, text: embed(secret) }));

  it.each(cases)('removes: $what', ({ secret, text }) => {
    const result = redact(text);
    expect(result).not.toContain(secret);
    expect(result).not.toContain(secret.slice(-8));
    expect(result).toContain('<redacted>');
  });

  it('keeps what surrounds a secret', () => {
    expect(redact(`push to https://ada:pw@example.com/a.git: ghp_${fill(36)} refused`)).toBe(
      'push to https://<redacted>@example.com/a.git: <redacted> refused',
    );
    expect(redact(`GET /a?token=${fill(9)}&page=2`)).toBe('GET /a?token=<redacted>&page=2');
    expect(redact(`id_token-eyJ${fill(20)}.eyJ${fill(40)}.${fill(43)}.txt`)).toBe('id_token-<redacted>.txt');
  });

  it.each([
    'commit 3f786850e387550fdab836ed7e6dc881de23001b on branch task/ENG-12',
    'https://example.com/a/b?page=2&sort=asc#token',
    'git@example.com:team/project.git',
    'ran 1200 tokens in 3 turns; max_tokens=4000',
    'the bearer of this message is basic',
    'see docs/risk-assessment-for-the-next-quarter.md',
    'version 1.2.3, file a.b.c.d.test.ts',
    'eyJ is how it starts.but this is no token.at all',
    'error INVALID_TOKEN: expected a string',
    'npm_config_cache',
  ])('keeps: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('changes nothing when applied twice', () => {
    for (const { text } of cases) expect(redact(redact(text))).toBe(redact(text));
  });
});

describe('redaction of registered secrets', () => {
  const secret = 'correct horse/battery+staple"\n?';

  it('removes the value in every encoding it may appear in', () => {
    const { redact } = createRedactor({ secrets: [secret] });
    const encoded = ['', 'a', 'ab', 'abc:'].map((prefix) =>
      Buffer.from(`${prefix}${secret} and more`).toString('base64'),
    );
    const forms = [
      secret,
      JSON.stringify({ secret }),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      ...encoded,
    ];
    for (const form of forms) {
      const result = redact(`<${form}>`);
      expect(result).toContain('<redacted>');
      expect(Buffer.from(result, 'base64').toString()).not.toContain('horse');
      expect(result).not.toContain('horse');
    }
  });

  it('learns secrets later, whatever their order and overlap', () => {
    const redactor = createRedactor({ secrets: ['abcd'] });
    redactor.register('abcdefgh');
    redactor.register('  padded-secret\n');
    expect(redactor.redact('x abcdefgh y abcd z padded-secret')).toBe(
      'x <redacted> y <redacted> z <redacted>',
    );
  });

  it('ignores values too short to be secrets', () => {
    const redactor = createRedactor({ secrets: ['', '  ', 'a', 'abc'] });
    expect(redactor.redact('a cab abc')).toBe('a cab abc');
  });

  it('never lets a registered secret through', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(value.trim().length >= 4 && !'<redacted>'.includes(value.trim()));
        const { redact } = createRedactor({ secrets: [value] });
        const text = redact(before + value + after);
        // A text around the mark may spell a secret that overlaps it.
        expect(text.split('<redacted>').some((part) => part.includes(value.trim()))).toBe(false);
      }),
    );
  });
});

/** Anything worse than linear would need hours for these: the test's own timeout is the judge. */
describe('hostile texts', () => {
  const { redact } = createRedactor({ secrets: ['a-registered-secret'] });
  const repeat = (unit: string): string => unit.repeat(Math.ceil(1_000_000 / unit.length));

  it.each([
    'a',
    '-',
    ' ',
    'eyJ',
    'eyJaaaaaaaa-',
    'eyJaaaaaaaa.',
    'sk-',
    'sk_a ',
    'ghp_',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN A ',
    '://',
    '://a',
    '://@',
    'https://aaaa:bbbb',
    'authorization',
    'authorization: ',
    'authorization :',
    'bearer ',
    'Bearer a ',
    'A_',
    'TOKEN',
    'TOKEN_',
    'API_KEY=',
    '?token=',
    'AKIA',
    'ya29.',
    'AIza',
    'cookie:',
    'a-registered-secre',
  ])('takes linear time for many %j', (unit) => {
    expect(redact(repeat(unit)).length).toBeGreaterThan(0);
  });
});
