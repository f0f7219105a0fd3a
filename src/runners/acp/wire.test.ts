import type { AnyMessage } from '@agentclientprotocol/sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWire } from './wire.ts';

function openWire() {
  const written: string[] = [];
  const updates: unknown[] = [];
  let malformed = 0;
  const wire = createWire({
    write: (line) => void written.push(line),
    onUpdate: (params) => void updates.push(params),
    onMalformed: () => {
      malformed += 1;
    },
  });
  return {
    ...wire,
    written,
    updates,
    malformed: () => malformed,
    async request(id: number) {
      const writer = wire.stream.writable.getWriter();
      await writer.write({ jsonrpc: '2.0', id, method: 'session/prompt', params: {} });
      writer.releaseLock();
    },
    /** Everything that reaches the SDK. */
    async passed(): Promise<AnyMessage[]> {
      wire.end();
      const messages: AnyMessage[] = [];
      for await (const message of wire.stream.readable) messages.push(message);
      return messages;
    },
  };
}

test('an answer passes once, to the request that waits for it, and id 0 is an id', async () => {
  const wire = openWire();
  await wire.request(0);
  expect(wire.written).toEqual(['{"jsonrpc":"2.0","id":0,"method":"session/prompt","params":{}}']);
  wire.acceptLine('{"jsonrpc":"2.0","id":1,"result":{}}');
  wire.acceptLine('{"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn"}}');
  wire.acceptLine('{"jsonrpc":"2.0","id":0,"result":{"stopReason":"refusal"}}');
  expect(await wire.passed()).toEqual([{ jsonrpc: '2.0', id: 0, result: { stopReason: 'end_turn' } }]);
  expect(wire.malformed()).toBe(2);
});

test.each([
  ['{"code":-32000,"message":"no"}', { code: -32000, message: 'no' }],
  ['{"message":"only words"}', { code: -32603, message: 'only words' }],
  ['"a text"', { code: -32603, message: 'a text' }],
  ['null', { code: -32603, message: 'an error without a message' }],
])('the words of the error %s are kept', async (error, kept) => {
  const wire = openWire();
  await wire.request(3);
  wire.acceptLine(`{"id":3,"error":${error}}`);
  expect(await wire.passed()).toEqual([{ jsonrpc: '2.0', id: 3, error: { data: undefined, ...kept } }]);
});

test('updates go past the SDK in the moment they come; requests reach it', async () => {
  const wire = openWire();
  wire.acceptLine(
    '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"of_tomorrow"}}}',
  );
  expect(wire.updates).toEqual([{ update: { sessionUpdate: 'of_tomorrow' } }]);
  wire.acceptLine('{"jsonrpc":"2.0","id":0,"method":"session/update"}');
  expect(await wire.passed()).toEqual([
    { jsonrpc: '2.0', id: 0, method: 'session/update', params: undefined },
  ]);
});

test('whatever is printed, only sound messages pass and nothing is thrown', async () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('session/update', 'x', 0, null));
  const message = fc.record(
    { jsonrpc: member, id: member, method: member, params: member, result: member, error: member },
    { requiredKeys: [] },
  );
  const line = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    message.map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      const wire = openWire();
      await wire.request(0);
      for (const printed of lines) wire.acceptLine(printed);
      for (const passed of await wire.passed()) {
        expect(passed.jsonrpc).toBe('2.0');
        if ('method' in passed) expect(typeof passed.method).toBe('string');
        else expect(passed.id).toBe(0);
      }
    }),
  );
});

test('lines after the end, or after the SDK has let go, are dropped', async () => {
  const ended = openWire();
  ended.end();
  ended.end();
  ended.acceptLine('{"jsonrpc":"2.0","id":1,"method":"x"}');
  expect(await ended.passed()).toEqual([]);
  const left = openWire();
  await left.stream.readable.cancel();
  left.acceptLine('{"jsonrpc":"2.0","id":1,"method":"x"}');
  left.end();
  expect(left.malformed()).toBe(0);
});
