import { ACTION_NAMES } from '../../../src/contract/actions.ts';
import { type Attack, type HttpStep, inShell, type Surroundings } from './attack.ts';

const REFUSED = /^(400|401|403|404|405|413|421|431) /m;
const TAKEN = /^2\d\d /m;

/** An agent that reaches the worker's own port: it may look, and it may not act. */
export function apiAttacks(s: Surroundings): readonly Attack[] {
  const headers = { 'content-type': 'application/json', 'x-aiops-refresh': 'true' };
  const body = JSON.stringify({ issue: s.otherIdentifier, text: 'x' });
  const refused = (name: string, ...requests: readonly HttpStep[]): Attack => ({
    name,
    steps: requests.map((http) => ({ http })),
    inLoot: [REFUSED],
    notInLoot: [TAKEN],
  });
  const act = (action: string, more: Readonly<Record<string, string>> = {}): HttpStep => ({
    url: `${s.url}/api/v1/actions/${action}`,
    method: 'POST',
    headers: { ...headers, ...more },
    body,
  });
  const look = (path: string, more: Readonly<Record<string, string>>): HttpStep => ({
    url: `${s.url}${path}`,
    headers: more,
  });
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  return [
    ...ACTION_NAMES.map((action) => refused(`an order to ${action}`, act(action))),
    refused(
      'tokens that are none',
      ...['', 'Bearer', 'Bearer ', 'Bearer null', 'Bearer undefined', `Bearer ${'x'.repeat(4_000)}`].map(
        (authorization) => act('stop', { authorization }),
      ),
    ),
    refused(
      'passwords that are none',
      ...['aiops:', 'aiops:aiops', ':', 'aiops'].map((text) => act('stop', { authorization: basic(text) })),
    ),
    refused('a token in the address', {
      ...act('stop'),
      url: `${s.url}/api/v1/actions/stop?token=x&access_token=x`,
    }),
    refused('a token in a cookie', act('stop', { cookie: 'aiops=x; token=x; session=x' })),
    refused('the origin of the page', act('stop', { origin: s.url, referer: `${s.url}/` })),
    refused('no origin', act('stop', { origin: 'null', 'sec-fetch-site': 'same-origin' })),
    refused('another origin', act('stop', { origin: 'https://evil.example' })),
    refused(
      'a proxy that vouches',
      act('stop', { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-user': 'aiops', 'x-real-ip': '::1' }),
    ),
    refused(
      'another method',
      act('stop', { 'x-http-method-override': 'GET' }),
      { ...act('stop'), method: 'PUT' },
      { ...act('stop'), method: 'DELETE' },
    ),
    refused('a link for a browser', { url: `${s.url}/api/v1/link`, method: 'POST', headers }),
    refused(
      'a code for a session',
      ...['', 'x', '0'.repeat(64), '../..'].map((code) => ({
        url: `${s.url}/api/v1/session`,
        method: 'POST',
        headers,
        body: JSON.stringify({ code }),
      })),
    ),
    refused(
      'a name that was bound again',
      ...[
        'evil.example',
        `evil.example:${s.port}`,
        `localhost.evil.example:${s.port}`,
        `127.0.0.1.evil.example`,
      ].map((host) => look('/api/v1/state', { host })),
    ),
    refused(
      'a name for an order',
      act('stop', { host: `evil.example:${s.port}` }),
      act('stop', { host: '' }),
    ),
    refused('a forged event of the tracker', {
      url: `${s.url}/api/v1/webhooks/linear`,
      method: 'POST',
      headers: { ...headers, 'linear-signature': 'x'.repeat(64) },
      body: JSON.stringify({ action: 'update', type: 'Issue', data: { id: s.otherId } }),
    }),
    refused(
      'files beside the page',
      ...[
        '/../../../../etc/passwd',
        '/..%2f..%2f..%2fetc/passwd',
        '/%2e%2e/worker.json',
        '/assets/..%5c..%5cx',
      ].map((path) => look(path, {})),
    ),
    refused(
      'a body of fifty megabytes',
      { ...act('stop'), body: 'x'.repeat(200_000).repeat(1) },
      { ...act('stop'), body: `{"a":${'['.repeat(20_000)}` },
    ),
    refused('headers without an end', act('stop', { 'x-large': 'x'.repeat(60_000) })),
    {
      name: 'three thousand polls',
      steps: [
        {
          sh: http(
            s,
            `for (let n = 0; n < 3000; n += 50) await Promise.all(Array.from({length: 50}, () => ask('POST', '/api/v1/refresh')))`,
          ),
        },
      ],
    },
    {
      name: 'three hundred streams that are left open',
      steps: [
        {
          sh: http(
            s,
            `for (let n = 0; n < 300; n++) void ask('GET', '/api/v1/events'); await new Promise((r) => setTimeout(r, 1500))`,
          ),
        },
      ],
    },
    {
      name: 'three hundred requests that never end',
      steps: [
        {
          sh: http(
            s,
            `for (let n = 0; n < 300; n++) require('net').connect(${s.port}, '127.0.0.1').on('error', () => {}).write('POST /api/v1/actions/stop HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 999\\r\\n\\r\\n{'); await new Promise((r) => setTimeout(r, 1500))`,
          ),
        },
      ],
    },
    ...recordAttacks(s),
  ];
}

function http({ port }: Surroundings, code: string): string {
  const ask =
    `const ask = (method, path) => new Promise((done) => require('http').request({ port: ${port}, method, path, ` +
    `headers: { 'x-aiops-refresh': 'true' } }, (answer) => answer.resume().on('end', done)).on('error', done).end());`;
  return `cat > attack.cjs <<'END'\n${ask} (async () => { ${code} })().finally(() => process.exit(0));\nEND\nnode attack.cjs`;
}

/** The record of the worker, with its token, is a file; the sandbox must not show it, nor who has it. */
function recordAttacks({ home, root }: Surroundings): readonly Attack[] {
  return [
    inShell(
      'the record of the worker',
      `find / -name 'worker*.json' -not -path '/proc/*' 2>/dev/null | xargs -r cat`,
    ),
    inShell(
      'the state folder',
      `cat ${home}/.local/aiops/*/* ${home}/.local/state/*/* ${home}/.local/share/*/*; ls -la ${home}`,
    ),
    inShell('the journal', `cat ${root}/.aiops/journal.sqlite* ${root}/.aiops/*/*`),
    inShell(
      'the memory of the worker',
      'for p in /proc/[0-9]*; do cat $p/mem $p/maps $p/environ; done 2>&1 | head -c 1000000',
    ),
    inShell(
      'sockets of the host',
      'find / -type s -not -path "/proc/*" 2>/dev/null; cat /proc/net/unix | head -50',
    ),
    inShell('its own environment', 'env; cat /proc/self/environ'),
  ];
}
