#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { threadOpened, turn } from './messages.mjs';

/**
 * An agent that attacks. It speaks the protocol of `codex app-server` and takes its orders from the prompt: JSON in
 * base64 between `<<<` and `>>>`, with `steps` and how it goes on (`end`): `wait` (deaf to every request to end) or `finish`.
 * Whatever a step brings in goes to the file `loot`; `attack-done` is there when all steps are.
 */
if (process.argv.includes('--version')) {
  process.stdout.write('codex-cli 0.166.0\n');
  process.exit(0);
}
const waiting = new Map();
const THREAD = `00000000-0000-4000-8000-${process.pid.toString().padStart(12, '0')}`;
let turnId = '';
let turns = 0;
let calls = 0;

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {});
process.stdout.on('error', () => {});
// Keeps the process alive when its input has ended.
setInterval(() => {}, 1 << 30);

const write = (text) =>
  process.stdout.write(text) ? undefined : new Promise((resolve) => process.stdout.once('drain', resolve));
const print = (message) => void write(`${JSON.stringify(message)}\n`);
const keep = (text) => appendFileSync('loot', `${text}\n`);
const fill = (text) => text.replaceAll('$THREAD', THREAD).replaceAll('$TURN', turnId);

function shell(script) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', () => resolve(Buffer.concat(output).toString('latin1')));
  });
}

function callTool(tool, args) {
  calls += 1;
  const id = `call-${calls}`;
  const params = { threadId: THREAD, turnId, callId: id, namespace: null, tool, arguments: args };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    print({ method: 'item/tool/call', id, params });
  });
}

/** With any header, also those that a browser would not send. */
function ask({ url, method = 'GET', headers = {}, body = '' }) {
  return new Promise((resolve) => {
    const options = { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
    const sent = request(url, options, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('close', () => resolve(`${answer.statusCode} ${Buffer.concat(chunks)}`));
    });
    sent.on('error', (error) => resolve(`no answer: ${error.message}`));
    sent.setTimeout(5_000, () => sent.destroy(new Error('too late')));
    sent.end(body);
  });
}

const STEPS = {
  sh: async (script) => keep(await shell(script)),
  lines: async (lines) => {
    for (const line of lines) await write(`${fill(line)}\n`);
  },
  /** `text` again and again until this many bytes are out. */
  flood: async ({ text, bytes }) => {
    const block = fill(text).repeat(Math.ceil(65_536 / text.length));
    for (let left = bytes; left > 0; left -= block.length) await write(block);
  },
  tool: async ({ name, arguments: args }) => keep(JSON.stringify(await callTool(name, args))),
  /** Many at once, none waited for. */
  storm: async ({ name, arguments: args, times }) => {
    for (let count = 0; count < times; count += 1) void callTool(name, args);
  },
  http: async (request) => keep(await ask(request)),
};

async function runTurn(prompt) {
  const written = /<<<([^>]*)>>>/.exec(prompt)?.[1];
  // What is asked in between is not its business: it hands over as it is.
  if (written === undefined) return endTurn();
  const order = JSON.parse(Buffer.from(written, 'base64').toString());
  for (const step of order.steps ?? []) {
    for (const [kind, value] of Object.entries(step)) await STEPS[kind](value);
  }
  if (order.end !== 'finish') return writeFileSync('attack-done', '');
  await callTool('issue_comment', { body: 'second run' });
  await callTool('branch_push', {});
  await callTool('issue_move', { state: 'Human Review' });
  endTurn();
}

function endTurn() {
  print({ method: 'turn/completed', params: { threadId: THREAD, turn: turn(turnId, 'completed') } });
}

const ANSWERS = {
  initialize: () => ({
    userAgent: 'hostile/0.166.0',
    codexHome: '/',
    platformFamily: 'unix',
    platformOs: 'linux',
  }),
  'thread/start': (params) => threadOpened(THREAD, params),
  'turn/start'(params) {
    turns += 1;
    turnId = `turn-${turns}`;
    setImmediate(() => {
      print({ method: 'turn/started', params: { threadId: THREAD, turn: turn(turnId) } });
      runTurn(params.input[0].text).catch((error) => keep(`the agent failed: ${error.stack}`));
    });
    return { turn: turn(turnId) };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result ?? message.error);
    waiting.delete(message.id);
  } else if (message.method === 'thread/resume') {
    // It remembers nothing, so that the next run is told everything.
    print({ id: message.id, error: { code: -32600, message: 'thread not found: it was never kept' } });
  } else if (message.id !== undefined && ANSWERS[message.method] !== undefined) {
    print({ id: message.id, result: ANSWERS[message.method](message.params) });
  }
});
