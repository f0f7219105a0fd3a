import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Stands between a runner and an agent: `hostile-lines.mjs SEED COUNT PROGRAM…`. Everything is passed on both ways; after the
 * fourth line of the agent, COUNT lines follow that are mutations of those the agent printed so far. The same seed makes the
 * same lines. When all are written, `hostile-lines: COUNT` goes to standard error.
 */
const [seed, count, command, ...args] = process.argv.slice(2);
const FIRST = 4;

let state = Number(seed) >>> 0;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = (list) => list[random(list.length)];

const nested = (depth, open, close) => `${open.repeat(depth)}${close.repeat(depth)}`;
/** Values as text, because some of them no program would ever write. */
const VALUES = [
  () => 'null',
  () => 'true',
  () => '-0',
  () => '1e999',
  () => '-1',
  () => '9007199254740993',
  () => '""',
  () => '"\\ud800"',
  () => '"\\u0000\\u001b[2J\\u202e"',
  () => '[]',
  () => '{}',
  () => '{"__proto__":{"polluted":true}}',
  () => '{"toString":1,"constructor":{"prototype":{"polluted":true}}}',
  () => JSON.stringify('x'.repeat(random(4000))),
  () => JSON.stringify('👩‍💻'.repeat(random(200))),
  () => nested(5000, '[', ']'),
  () => nested(200 + random(3000), '{"a":[', ']}').replace('[]', '[1]'),
  () => nested(100, '[', ']'),
  () => `[${Array.from({ length: random(300) }, () => '1').join(',')}]`,
];

const SCALAR = /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null/g;
const KEY = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

function replaceOne(line, pattern, replacement) {
  const found = [...line.matchAll(pattern)];
  if (found.length === 0) return line;
  const match = pick(found);
  return line.slice(0, match.index) + replacement() + line.slice(match.index + match[0].length);
}

const MUTATIONS = [
  (line) => replaceOne(line, SCALAR, () => pick(VALUES)()),
  (line) =>
    replaceOne(
      replaceOne(line, SCALAR, () => pick(VALUES)()),
      SCALAR,
      () => pick(VALUES)(),
    ),
  (line) =>
    replaceOne(line, KEY, () => pick(['"__proto__"', '"id"', '"method"', '"type"', '""', '"params"'])),
  (line) => line.slice(0, random(line.length)),
  (line) => line.slice(random(line.length)),
  (line) => `${line}${pick(['}', ']', ',', '\u0000', ' ', line])}`,
  (line) => line.replace(/[{]/, `{"extra":${pick(VALUES)()},`),
  (line) => line.replaceAll('"', pick(["'", '\\"', '"'])),
  () => pick(VALUES)(),
  () =>
    Array.from({ length: random(200) }, () => String.fromCharCode(1 + random(9), 14 + random(60000))).join(
      '',
    ),
  (line) => line,
];

const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(agent.stdin);
agent.stdin.on('error', () => {});
process.stdout.on('error', () => process.exit(0));
agent.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

const corpus = [];
const write = (line) =>
  process.stdout.write(`${line}\n`)
    ? undefined
    : new Promise((resolve) => process.stdout.once('drain', resolve));

async function attack() {
  for (let made = 0; made < Number(count); made += 1) {
    const line = pick(MUTATIONS)(pick(corpus)).replaceAll('\n', ' ');
    await write(line);
    if (made % 500 === 499) await new Promise(setImmediate);
  }
  process.stderr.write(`hostile-lines: ${count}\n`);
}

for await (const line of createInterface({ input: agent.stdout })) {
  await write(line);
  corpus.push(line);
  if (corpus.length === FIRST) await attack();
}
