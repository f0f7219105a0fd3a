import { expect, it } from 'vitest';
import { readTracingSettings } from './tracing-settings.ts';

const on = (url: string, secrets: readonly string[] = []) => ({ kind: 'on', url, secrets });
const BASE = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

it.each([
  [{}, { kind: 'off' }],
  [{ [BASE]: '  ' }, { kind: 'off' }],
  [{ [BASE]: 'http://c:4318' }, on('http://c:4318/v1/traces')],
  [{ [BASE]: 'http://c:4318/otel/' }, on('http://c:4318/otel/v1/traces')],
  [{ [BASE]: 'https://c/x?key=1' }, on('https://c/x/v1/traces?key=1')],
  [{ [TRACES]: 'http://c:4318/mine' }, on('http://c:4318/mine')],
  [{ [BASE]: 'http://a', [TRACES]: 'http://b/t' }, on('http://b/t')],
  [{ [BASE]: 'http://a', OTEL_SDK_DISABLED: 'TRUE' }, { kind: 'off' }],
  [{ [BASE]: 'http://a', OTEL_SDK_DISABLED: 'false' }, on('http://a/v1/traces')],
  [{ [BASE]: 'http://a', OTEL_TRACES_EXPORTER: 'none' }, { kind: 'off' }],
  [{ [BASE]: 'localhost:4317' }, { kind: 'unusable', why: expect.stringContaining(BASE) }],
  [{ [TRACES]: 'file:///etc/x' }, { kind: 'unusable', why: expect.stringContaining(TRACES) }],
  [
    { [BASE]: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { kind: 'unusable', why: expect.stringContaining('gRPC') },
  ],
  [
    {
      [BASE]: 'http://me:dummy-pass@a',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20dummy-key, x-team = red,odd',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'bad=%zz',
    },
    on('http://me:dummy-pass@a/v1/traces', [
      'Bearer%20dummy-key',
      'Bearer dummy-key',
      'red',
      'red',
      '%zz',
      '%zz',
      'dummy-pass',
    ]),
  ],
])('reads %j', (environment, settings) => {
  expect(readTracingSettings(environment)).toEqual(settings);
});
