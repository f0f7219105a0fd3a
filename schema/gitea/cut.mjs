import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Cuts the operations that the tests need out of the description a running server serves:
 * `node schema/gitea/cut.mjs http://127.0.0.1:3000/swagger.v1.json`, or the name of a file that holds it.
 */
const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{index}`;
const PULL = `${REPO}/pulls/{index}`;
const OPERATIONS = [
  'get /user',
  'get /orgs/{org}/labels',
  `get ${REPO}`,
  `get ${REPO}/labels`,
  `post ${REPO}/labels`,
  `get ${REPO}/issues`,
  `get ${ISSUE}`,
  `patch ${ISSUE}`,
  `get ${ISSUE}/comments`,
  `post ${ISSUE}/comments`,
  `get ${ISSUE}/labels`,
  `post ${ISSUE}/labels`,
  `delete ${ISSUE}/labels/{id}`,
  `get ${ISSUE}/dependencies`,
  `get ${ISSUE}/blocks`,
  `get ${ISSUE}/timeline`,
  `get ${REPO}/pulls`,
  `post ${REPO}/pulls`,
  `get ${PULL}`,
  `patch ${PULL}`,
  `get ${PULL}/reviews`,
  `get ${PULL}/reviews/{id}/comments`,
  `post ${PULL}/requested_reviewers`,
  `get ${REPO}/branches/{branch}`,
  `get ${REPO}/commits`,
  `get ${REPO}/commits/{ref}/status`,
];
const [, , source = ''] = process.argv;
const text = source.startsWith('http') ? await (await fetch(source)).text() : readFileSync(source, 'utf8');
const description = JSON.parse(text);
const definitions = {};
const resolve = (ref) =>
  ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], description);

const operations = {};
for (const operation of OPERATIONS) {
  const [method, path] = operation.split(' ');
  const found = description.paths[path][method];
  const parameters = found.parameters ?? [];
  const body = parameters.find((entry) => entry.in === 'body')?.schema;
  operations[operation] = {
    query: Object.fromEntries(
      parameters.filter((entry) => entry.in === 'query').map((entry) => [entry.name, querySchema(entry)]),
    ),
    body: body === undefined ? null : strict(clean(body)),
    answers: Object.fromEntries(
      Object.entries(found.responses).map(([status, given]) => {
        const answer = given.$ref ? resolve(given.$ref) : given;
        return [status, answer.schema === undefined ? null : clean(answer.schema)];
      }),
    ),
    example: null,
  };
}
const { title, version } = description.info;
const note = `${title} ${version}, /swagger.v1.json of the running server (MIT License, Copyright (c) The Gitea and Forgejo Authors)`;
const result = { source: `${note}; cut by schema/gitea/cut.mjs`, operations, definitions };
const target = fileURLToPath(new URL('./api.json', import.meta.url));
writeFileSync(target, `${JSON.stringify(result, null, 2)}\n`);

function querySchema({ type, items, enum: values }) {
  return {
    ...(type === undefined ? {} : { type }),
    ...(items ? { items } : {}),
    ...(values ? { enum: values } : {}),
  };
}

/** Go writes null for what is empty, and the description does not say so. */
function clean(schema, required = false) {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1);
    if (definitions[name] === undefined) {
      definitions[name] = {};
      definitions[name] = clean(resolve(schema.$ref), true);
    }
    const ref = { $ref: `#/definitions/${name}` };
    return required ? ref : { anyOf: [ref, { type: 'null' }] };
  }
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    if (['description', 'title', 'example', 'x-go-name', 'x-go-package', 'x-go-enum-desc'].includes(key))
      continue;
    if (key === 'properties') {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, clean(entry)]));
    } else result[key] = key === 'items' ? clean(value, true) : value;
  }
  return result.type === 'array' && !required
    ? { anyOf: [result, { type: 'null' }] }
    : nullableTime(result, required);
}

function nullableTime(schema, required) {
  return schema.format === 'date-time' && !required ? { ...schema, type: ['string', 'null'] } : schema;
}

/** Neither a request nor an answer may carry a field that the description does not name. */
function strict(schema) {
  for (const definition of Object.values(definitions)) {
    if (definition.properties !== undefined) definition.additionalProperties = false;
  }
  return schema;
}
