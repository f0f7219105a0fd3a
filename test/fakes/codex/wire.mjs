import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { findProblem } from './json-schema.mjs';

const schema = JSON.parse(
  readFileSync(new URL('../../../schema/codex/protocol.json', import.meta.url), 'utf8'),
);

/** Both ends are held to the schema of the pinned version: what the client sends, and what this program says. */
function check(what, definition, value) {
  const problem = findProblem({ $ref: `#/definitions/${definition}` }, value, schema.definitions);
  if (problem !== null) throw new Error(`${what}: ${problem}`);
}

/**
 * The app-server's side of the connection. `handlers` maps methods of requests to functions that return `{ result }` or
 * `{ error }`, and in `after` what happens once the answer is out; a request without an answer stays open.
 */
export function createWire(handlers, recordTo) {
  const waiting = new Map();
  let nextId = 0;
  let initialized = false;

  const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

  const onRequest = async ({ id, method, params }) => {
    const known = schema.clientRequests[method];
    if (known === undefined)
      return print({ id, error: { code: -32600, message: `unknown method ${method}` } });
    if (method !== 'initialize' && !initialized)
      return print({ id, error: { code: -32600, message: 'Not initialized' } });
    try {
      check(`params of ${method}`, known.params, params);
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
      return print({ id, error: { code: -32602, message: error.message } });
    }
    const answer = await handlers[method]?.(params);
    if (answer === undefined) return;
    const { result, error, after } = answer;
    if (error === undefined) check(`answer to ${method}`, known.result, result);
    print(error === undefined ? { id, result } : { id, error });
    await after?.();
  };

  const onAnswer = ({ id, result, error }) => {
    const request = waiting.get(id);
    if (request === undefined) return fail(`an answer to nothing: ${JSON.stringify(id)}`);
    waiting.delete(id);
    const known = schema.serverRequests[request.method];
    try {
      if (error === undefined && known !== undefined)
        check(`answer to ${request.method}`, known.result, result);
    } catch (problem) {
      return fail(problem.message);
    }
    request.resolve({ result, error });
  };

  createInterface({ input: process.stdin }).on('line', (line) => {
    if (recordTo !== undefined) appendFileSync(recordTo, `${line}\n`);
    const message = JSON.parse(line);
    if ('jsonrpc' in message) fail('the app-server speaks without a jsonrpc field');
    if (message.method === 'initialized') initialized = true;
    else if (message.method !== undefined) void onRequest(message).catch((error) => fail(error.message));
    else onAnswer(message);
  });

  return {
    print,
    notify(method, params) {
      const definition = schema.notifications[method];
      if (definition !== undefined) check(method, definition, params);
      print({ method, params });
    },
    /** Resolves with `{ result }` or `{ error }`. `id` only to try unusual ones. */
    request(method, params, id = nextId++) {
      const known = schema.serverRequests[method];
      if (known !== undefined) check(method, known.params, params);
      print({ method, id, params });
      return new Promise((resolve) => waiting.set(id, { method, resolve }));
    },
  };
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(70);
}
