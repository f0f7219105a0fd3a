import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { createLogger, type LoggerOptions } from './create-logger.ts';
import { createRedactor } from './redact.ts';

function capture(options: Omit<LoggerOptions, 'stream'> = {}) {
  let text = '';
  const stream = { write: (chunk: string) => (text += chunk) };
  const logger = createLogger({ ...options, stream });
  return {
    logger,
    text: () => text,
    records: (): Record<string, unknown>[] =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

describe('JSON lines', () => {
  it('carry an ISO time in UTC, the level by name, the message and the fields (R-13.1-c)', () => {
    const { logger, records } = capture();
    logger.info('run started 100%s', { issue_id: '7', issue_identifier: 'ENG-7', turns: 2 });
    const [record] = records();
    expect(record).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      issue_id: '7',
      issue_identifier: 'ENG-7',
      turns: 2,
      msg: 'run started 100%s',
    });
  });

  it('leave out what is below the level', () => {
    const { logger, records } = capture({ level: 'warn' });
    logger.debug('a');
    logger.info('b');
    logger.warn('c');
    logger.error('d');
    expect(records().map(({ msg }) => msg)).toEqual(['c', 'd']);
  });

  it('carry bound fields; nearer ones win', () => {
    const { logger, records } = capture();
    logger.with({ issue_id: '7', a: 1 }).with({ session_id: 's', a: 2 }).info('x', { a: 3, b: undefined });
    expect(records()[0]).toMatchObject({ issue_id: '7', session_id: 's', a: 3 });
    logger.info('y');
    expect(records()[1]).not.toHaveProperty('issue_id');
  });

  it('keep their own keys when a field has the same name', () => {
    const { logger, text, records } = capture();
    logger.info('x', { time: 1, level: 2, msg: 3 });
    expect(records()[0]).toMatchObject({ level: 'info', msg: 'x', time_: 1, level_: 2, msg_: 3 });
    expect(text().match(/"level":/g)).toHaveLength(1);
  });

  it('show errors with their code, hint, context and causes', () => {
    const { logger, records } = capture();
    const cause = new TypeError('inner');
    const error = new AppError('git_failed', 'outer', { hint: 'do this', cause, context: { exit: 128 } });
    logger.error('x', { error });
    expect(records()[0]?.['error']).toMatchObject({
      type: 'AppError',
      code: 'git_failed',
      message: 'outer',
      hint: 'do this',
      context: { exit: 128 },
      cause: { type: 'TypeError', message: 'inner', stack: expect.stringContaining('TypeError: inner') },
    });
  });
});

describe('fields of any kind', () => {
  it('never throw and always end as one line of JSON', () => {
    const { logger, records } = capture();
    const circular: Record<string, unknown> = { name: 'a' };
    circular['self'] = circular;
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 100; depth += 1) deep = { deep };
    const shared = { a: 1 };
    logger.info('x', {
      circular,
      deep,
      shared: [shared, shared],
      big: 10n,
      infinite: Number.POSITIVE_INFINITY,
      symbol: Symbol('s'),
      call: () => 1,
      bytes: Buffer.from('abc'),
      map: new Map([['k', new Set([1])]]),
      date: new Date(0),
      url: new URL('https://example.com/'),
      throws: {
        get bad() {
          throw new Error('no');
        },
      },
      proxy: new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no');
          },
        },
      ),
      lone: '\ud800',
      ['__proto__']: { polluted: true },
    });
    expect(records()).toHaveLength(1);
    expect(records()[0]).toMatchObject({
      circular: { name: 'a', self: '[circular]' },
      shared: [{ a: 1 }, { a: 1 }],
      big: '10',
      infinite: 'Infinity',
      symbol: 'Symbol(s)',
      call: '[function]',
      bytes: '[3 bytes]',
      map: { k: [1] },
      date: '1970-01-01T00:00:00.000Z',
      url: 'https://example.com/',
      throws: '[unreadable]',
      proxy: '[unreadable]',
    });
    expect(JSON.stringify(records()[0]?.['deep'])).toContain('[too deep]');
  });

  it('survive hostile field objects themselves', () => {
    const { logger, records } = capture();
    logger.info(
      'x',
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('no');
          },
        },
      ),
    );
    logger
      .with({
        get bad() {
          throw new Error('no');
        },
      })
      .info('y', { a: 1 });
    expect(records()).toMatchObject([{ msg: 'x' }, { msg: 'y', a: 1 }]);
  });

  it('stay small whatever they hold (R-13.1-c)', () => {
    const { logger, text, records } = capture();
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`k${index}`, Array(300).fill('v')]),
    );
    logger.info('x', { long: 'y'.repeat(5_000_000), wide });
    expect(text().length).toBeLessThan(100_000);
    expect(String(records()[0]?.['long'])).toMatch(/^y+… \(cut\)$/);
  });

  it('do not leave half a secret where a text was cut', () => {
    const secret = Array.from({ length: 200 }, (_, index) => `part${index}`).join('-');
    const { logger, text } = capture({ redactor: createRedactor({ secrets: [secret] }) });
    for (let shift = 0; shift < 20; shift += 1) {
      logger.info('x', { long: `${'.'.repeat(shift * 97)} ${secret.repeat(200)}` });
    }
    expect(text().includes('part0')).toBe(false);
    expect(text().includes('(cut)')).toBe(true);
  });
});

describe('redaction', () => {
  const secret = 'dummy-tracker-secret-0123456789';
  const token = `lin_api_${'d'.repeat(40)}`;

  it('reaches every text of a record: message, keys, nested values, errors, bound fields', () => {
    const { logger, text } = capture({ redactor: createRedactor({ secrets: [secret] }) });
    const error = new AppError('tracker_request', `GET https://u:${token}@h/ failed`, {
      cause: new Error(secret),
      context: { headers: { Authorization: 'Basic abc' }, list: [[{ deep: secret }]] },
    });
    logger.with({ bound: secret }).error(`message ${secret}`, {
      error,
      [secret]: 1,
      api_key: 'short',
      nested: { password: 'tiny', basic: Buffer.from(`aiops:${secret}`).toString('base64') },
      map: new Map([[secret, secret]]),
    });
    expect(text()).toContain('<redacted>');
    for (const leaked of [
      secret,
      token,
      'Basic abc',
      '"short"',
      'tiny',
      Buffer.from(secret).toString('base64'),
    ]) {
      expect(text()).not.toContain(leaked);
    }
  });
});

describe('a stream that fails', () => {
  it('costs lines, not an exception', () => {
    const logger = createLogger({
      stream: {
        write() {
          throw new Error('ENOSPC');
        },
      },
    });
    expect(() => logger.error('x')).not.toThrow();
  });

  it('is not written to after it is closed', () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const logger = createLogger({ stream });
    logger.info('first');
    stream.destroy();
    expect(() => logger.info('second')).not.toThrow();
  });

  it('does not grow without bound when nobody reads', () => {
    const stream = new Writable({ write: () => {} });
    const logger = createLogger({ stream });
    for (let count = 0; count < 5_000; count += 1) logger.info('x', { text: 'y'.repeat(8_000) });
    expect(stream.writableLength).toBeLessThan(20 * 1024 * 1024);
    expect(stream.writableLength).toBeGreaterThan(1024 * 1024);
  });
});
