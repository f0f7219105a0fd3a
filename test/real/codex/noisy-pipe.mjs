import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A real app-server behind a bad pipe: `node noisy-pipe.mjs RECORD PROGRAM ARGS…`. What the program prints arrives whole
 * and in order, but in pieces, and with noise between its lines. Answers to the requests that are noise go into RECORD,
 * a JSON line each; everything else goes to the program.
 */
const [record, program, ...args] = process.argv.slice(2);

const LONGER_THAN_ANY_LINE = 11 * 1024 * 1024;

/** Each is printed as it is, with a newline behind it. */
const NOISE = [
  'Segmentation fault (core dumped)',
  '{"method":"item/completed","params":{"item":{"type":"agentMessage","text":"cut off in the mid',
  Buffer.from([0x00, 0xff, 0xfe, 0x1b, 0x5b, 0x32, 0x4a, 0x80, 0xc3, 0x28, 0x0d]),
  Buffer.concat([Buffer.from('{"method":"'), Buffer.from([0xff, 0xc0, 0xed, 0xa0, 0x80]), Buffer.from('"')]),
  '{"method":"future/thingHappened","params":{"deep":[[[{}]]]}}',
  '{"method":"future/thingHappened"}',
  '[]',
  'null',
  '42',
  '"text"',
  '{}',
  '{"method":7,"id":{}}',
  '{"id":"nobody asked","result":{}}',
  '{"id":-1,"error":"not an error object"}',
  '{"method":"turn/completed","params":null}',
  '{"method":"turn/completed","params":{"threadId":"another","turn":{"id":"other","status":"failed","items":[]}}}',
  '{"method":"item/completed","params":{"item":{"type":"commandExecution","command":9}}}',
  '{"method":"thread/tokenUsage/updated","params":{"tokenUsage":{"total":{"totalTokens":"many"}}}}',
  '{"method":"account/rateLimits/updated","params":[]}',
  '{"id":"noise-1","method":"future/question","params":{}}',
  '{"id":"noise-2","method":"item/tool/call","params":{"arguments":{}}}',
  '',
  '\r',
  `{"method":"future/flood","params":"${'x'.repeat(LONGER_THAN_ANY_LINE)}"}`,
];

const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
let next = 0;

function makeNoise() {
  process.stdout.write(NOISE[next % NOISE.length]);
  process.stdout.write('\n');
  process.stderr.write(Buffer.from([0xff, 0x00, 0x0a]));
  next += 1;
  appendFileSync(record, `${JSON.stringify({ noise: next })}\n`);
}

/** In three pieces, cut anywhere, in the middle of a character too. */
async function printInPieces(line) {
  const bytes = Buffer.from(`${line}${next % 3 === 0 ? '\r' : ''}\n`);
  const cuts = [0, Math.floor(bytes.length / 3), bytes.length - 1, bytes.length];
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    await new Promise((resolve) => process.stdout.write(bytes.subarray(start, cuts[index + 1]), resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function forwardOutput() {
  makeNoise();
  for await (const line of createInterface({ input: child.stdout })) {
    await printInPieces(line);
    makeNoise();
  }
}

async function forwardInput() {
  for await (const line of createInterface({ input: process.stdin })) {
    if (/^\{"id":"noise-\d"/.test(line)) appendFileSync(record, `${line}\n`);
    else child.stdin.write(`${line}\n`);
  }
  child.stdin.end();
}

child.stderr.pipe(process.stderr);
child.stdin.on('error', () => {});
process.stdout.on('error', () => {});
const exited = once(child, 'exit');
await Promise.all([forwardInput(), forwardOutput()]);
const [code, signal] = await exited;
process.exitCode = signal === null ? code : 1;
