import type { Attack, Step } from './attack.ts';

const OTHER = '11111111-1111-4111-8111-111111111111';
const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);
const line = (value: unknown): string => JSON.stringify(value);
const told = (method: string, params: object): string =>
  line({ method, params: { threadId: '$THREAD', turnId: '$TURN', ...params } });
const asked = (id: unknown, method: string, params: object): string =>
  line({ id, method, params: { threadId: '$THREAD', turnId: '$TURN', ...params } });
const message = (text: string, id = 'm'): string =>
  told('item/completed', { item: { type: 'agentMessage', id, text } });
const usage = (input: unknown, output: unknown): object => {
  const counts = { inputTokens: input, cachedInputTokens: 0, outputTokens: output };
  return { tokenUsage: { total: counts, last: counts } };
};
const call = (id: unknown, more: object = {}): string =>
  asked(id, 'item/tool/call', { callId: 'c', namespace: null, tool: 'issue_get', arguments: {}, ...more });
const ended = (threadId: string, id: string): string =>
  line({ method: 'turn/completed', params: { threadId, turn: { id, items: [], status: 'completed' } } });
const times = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Bytes that no line of JSON could carry, by the file of the agent's own output. */
const raw = (command: string, to = 1): Step => ({ sh: `${command} > /proc/$PPID/fd/${to}` });

/** Lines that lie. The run may end of some of them; those that say so go on as if nothing had been said. */
const LIES: Readonly<Record<string, readonly string[]>> = {
  'answers to requests never asked': [
    ...times(200, (id) => line({ id: id + 1000, result: { decision: 'accept' } })),
    line({ id: -1, result: null }),
  ],
  'the same answer again': times(50, (id) => line({ id, result: { thread: { id: OTHER }, model: 'x' } })),
  'an error for every request': times(50, (id) => line({ id, error: { code: -1, message: 'no' } })),
  'answers that are nothing': times(20, (id) => line({ id })),
  'ids that are no ids': [
    ...[null, true, {}, [], [[]], 1e308, -0, 0.1, 2 ** 60, ''].map((id) => line({ id, result: {} })),
    '{"id":1e999,"result":{}}',
  ],
  'an id of a megabyte': [line({ id: 'x'.repeat(1_000_000), result: {} }), call('y'.repeat(1_000_000))],
  'calls with one id': times(40, () => call('same')),
  'calls with ids that are no ids': [null, true, {}, [1], 1e300, -1].map((id) => call(id)),
  'the end of a turn in another thread': [ended(OTHER, '$TURN'), ended('', '$TURN'), ended(OTHER, OTHER)],
  'the end of another turn': [ended('$THREAD', ''), line({ method: 'turn/completed', params: null })],
  'the usage of another thread': [
    line({
      method: 'thread/tokenUsage/updated',
      params: { threadId: OTHER, turnId: 'x', ...usage(1e15, 1e15) },
    }),
  ],
  'counts that are none': [-1, 1e308, null, '5', {}, 0.5].map((count) =>
    told('thread/tokenUsage/updated', usage(count, count)),
  ),
  'approvals given to itself': [
    ...times(20, (id) => line({ id, result: { decision: 'acceptForSession' } })),
    told('serverRequest/resolved', { requestId: 0 }),
    told('item/commandExecution/approved', { itemId: 'x', decision: 'accept' }),
  ],
  'a server that asks as a client': ['initialize', 'thread/start', 'turn/start', 'turn/interrupt'].map(
    (method) => asked(77, method, { cwd: '/', input: [], approvalPolicy: 'never' }),
  ),
  'methods that are none': [
    ...[1, null, [], {}, '__proto__', 'constructor', 'toString'].map((method) =>
      line({ method, params: {} }),
    ),
    ...times(2_000, (index) => told(`x/${index}`, {})),
  ],
  'keys of prototypes': [
    '{"method":"item/completed","__proto__":{"polluted":true},"params":{"__proto__":{"polluted":true}}}',
    '{"method":"item/completed","params":{"threadId":"$THREAD","constructor":{"prototype":{"polluted":1}},"item":{"type":"__proto__","id":"__proto__"}}}',
  ],
  'five thousand arrays': [nested(5_000), `{"method":"x","params":${nested(5_000)}}`],
  'a hundred thousand braces': [nested(100_000, '{"a":', '}'), '['.repeat(100_000)],
  'five thousand arrays as arguments': [
    call('deep').replace('"arguments":{}', `"arguments":${nested(5_000)}`),
  ],
  'five thousand arrays as an answer': [`{"id":3,"result":${nested(5_000)}}`],
  'limits fifty thousand levels deep': [
    told('account/rateLimits/updated', { rateLimits: { primary: 'DEEP' } }).replace('"DEEP"', nested(50_000)),
    told('account/rateLimits/updated', { rateLimits: { primary: 'DEEP' } }).replace('"DEEP"', nested(5_000)),
  ],
  'an item fifty thousand levels deep': [
    told('item/completed', { item: { type: 'mcpToolCall', id: 'x', arguments: 'DEEP' } }).replace(
      '"DEEP"',
      nested(50_000),
    ),
    told('item/completed', { item: { type: 'fileChange', id: 'x', changes: 'DEEP' } }).replace(
      '"DEEP"',
      nested(5_000),
    ),
  ],
  'ten thousand items': times(10_000, (index) => message('x', `item-${index}`)),
  'a message of four megabytes': [message('x'.repeat(4_000_000))],
  'control characters': [message('\u0000\u001b[2J\u001b]0;x\u0007\u202e\ud800\u2028')],
  'turns that nobody began': times(500, (index) =>
    line({ method: 'turn/started', params: { threadId: '$THREAD', turn: { id: `t${index}`, items: [] } } }),
  ),
  'threads that nobody began': times(100, (index) =>
    line({ method: 'thread/started', params: { thread: { id: `${OTHER}${index}` } } }),
  ),
  'limits of another world': [
    told('account/rateLimits/updated', { rateLimits: { primary: { usedPercent: 1e9, resetsAt: 1e300 } } }),
    told('account/rateLimits/updated', {
      rateLimits: Object.fromEntries(times(5_000, String).map((key) => [key, 1])),
    }),
  ],
  'halves of lines': ['{"method":', '"x"}', '}', ']', ',', '', ' ', '\t', '"', '\\'],
};

/** Lines that may well end the run. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  'results after the end': [
    ended('$THREAD', '$TURN'),
    ended('$THREAD', '$TURN'),
    message('after the end'),
    call('late'),
    told('thread/tokenUsage/updated', usage(1e12, 1e12)),
  ],
  'a demand to approve everything': times(200, (id) =>
    asked(id, 'item/commandExecution/requestApproval', { itemId: 'x', command: 'rm -rf /', cwd: '/' }),
  ),
  'a demand of another thread': [
    line({
      id: 5,
      method: 'item/fileChange/requestApproval',
      params: { threadId: OTHER, turnId: 'x', itemId: 'y' },
    }),
  ],
  'a question of five megabytes': [
    asked(9, 'item/tool/requestUserInput', {
      itemId: 'q',
      questions: [{ id: 'q', header: 'x', question: 'x'.repeat(5_000_000), options: [] }],
    }),
  ],
  'an error that ends it': [
    told('error', { error: { message: 'x'.repeat(1_000_000), codexErrorInfo: 'other' }, willRetry: false }),
  ],
};

export function protocolAttacks(): readonly Attack[] {
  const lies = Object.entries(LIES).map(([name, lines]) => ({ name, steps: [{ lines }], survives: true }));
  const ends = Object.entries(ENDS).map(([name, lines]) => ({ name, steps: [{ lines }] }));
  return [...lies, ...ends, ...streamAttacks(), ...processAttacks()];
}

function streamAttacks(): readonly Attack[] {
  const MB = 1_000_000;
  return [
    { name: 'a line without an end', steps: [{ flood: { text: 'x', bytes: 50 * MB } }] },
    {
      name: 'fifty megabytes of messages',
      steps: [{ flood: { text: `${message('x'.repeat(900))}\n`, bytes: 50 * MB } }],
    },
    { name: 'fifty megabytes of empty lines', steps: [{ flood: { text: '\n', bytes: 50 * MB } }] },
    { name: 'fifty megabytes of errors', steps: [raw('head -c 50000000 /dev/zero', 2)] },
    { name: 'bytes that are no text', steps: [raw(`printf '\\377\\376\\300\\200\\n\\355\\240\\200\\n'`)] },
    { name: 'zero bytes', steps: [raw('head -c 100000 /dev/zero'), raw('echo')] },
    { name: 'noise', steps: [raw('head -c 3000000 /dev/urandom')] },
    {
      name: 'a line in ten thousand pieces',
      steps: [raw(`sh -c 'for i in $(seq 2000); do printf "{\\"a\\":"; done'`)],
    },
  ];
}

function processAttacks(): readonly Attack[] {
  const daemon = (command: string): Step => ({ sh: `(${command}) >/dev/null 2>&1 </dev/null &` });
  return [
    { name: 'three hundred processes', steps: [daemon('for i in $(seq 300); do sleep 600 & done; wait')] },
    { name: 'a process that left its session', steps: [daemon('setsid sleep 600')] },
    { name: 'a process without an environment', steps: [daemon('setsid env -i /bin/sleep 600')] },
    {
      name: 'a process that hears no signal',
      steps: [daemon(`setsid sh -c 'trap "" TERM INT HUP; while :; do sleep 1; done'`)],
    },
    {
      name: 'a process twice removed',
      steps: [daemon(`setsid sh -c 'setsid env -i sh -c "sleep 600 &" &'`)],
    },
    { name: 'all processes ended', steps: [{ sh: 'kill -9 -1' }] },
    {
      // The agent itself is stopped when it has said that it is done.
      name: 'its parent stopped',
      steps: [{ sh: 'agent=$PPID; kill -STOP 1; (sleep 1; kill -STOP $agent) >/dev/null 2>&1 </dev/null &' }],
    },
  ];
}
