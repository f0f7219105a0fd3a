import { ALTERNATIVES, FIELDS, NAMED } from './used-protocol.mjs';

/** The type of an object of which nothing is used. */
const UNUSED = 'object';

/** TypeScript for what is used of an extracted schema: tables by method for each direction, then named types. */
export function typesOfSchema({ version, definitions, clientRequests, serverRequests, notifications }) {
  const { refer, types } = createPrinter(definitions);
  const table = (name, methods, sent, pick) => {
    const rows = Object.entries(methods)
      .map(([method, messages]) => [method, refer(pick(messages), sent)])
      .filter(([, type]) => type !== UNUSED)
      .map(([method, type]) => `${quote(method)}: ${type};`);
    return `export type ${name} = {\n${rows.join('\n')}\n};`;
  };
  // What is sent comes first: a definition of both directions gets the fields that sending it needs.
  const parts = [
    `// What is used of the protocol of Codex ${version}; generated, see test/real/codex/update-types.mjs`,
    `export type Version = ${quote(version)};`,
    '// What is sent: requests, and answers to the requests of the server.',
    table('ClientParams', clientRequests, true, ({ params }) => params),
    table('ServerResults', serverRequests, true, ({ result }) => result),
    '// What is read: answers, requests and notifications of the server.',
    table('ClientResults', clientRequests, false, ({ result }) => result),
    table('ServerParams', serverRequests, false, ({ params }) => params),
    table('Notifications', notifications, false, (params) => params),
    ...types().map(([name, type]) => `export type ${name} = ${type};`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function createPrinter(definitions) {
  const named = new Map();
  const choose = createChoice();

  const refer = (name, sent) => {
    if (named.has(name)) return name;
    const type = typeOf(definitions[name], sent, name);
    if (!NAMED.includes(name)) return type;
    named.set(name, type);
    return name;
  };

  /** `owner` is the definition whose fields and alternatives are chosen from. */
  const typeOf = (node, sent, owner) => {
    if (node.$ref !== undefined) return refer(node.$ref.split('/').at(-1), sent);
    if (node.allOf !== undefined) return node.allOf.map((one) => typeOf(one, sent)).join(' & ');
    const choices = node.oneOf ?? node.anyOf;
    if (choices !== undefined) {
      const used = choices.filter((one) => tagsOf(one).some((tag) => choose.alternative(owner, tag)));
      const union = unionOf(used.map((one) => typeOf(one, sent, owner)));
      const beside = node.properties === undefined ? UNUSED : fieldsOf(node, sent, owner);
      return beside === UNUSED ? union : `${beside} & (${union})`;
    }
    if (node.enum !== undefined) {
      // A newer server may know more of them.
      if (!sent && node.enum.length > 1 && ALTERNATIVES[owner] === undefined) return 'string';
      return unionOf(node.enum.filter((text) => choose.alternative(owner, text)).map(quote));
    }
    if (Array.isArray(node.type)) return unionOf(node.type.map((type) => typeOf({ ...node, type }, sent)));
    if (node.type === 'integer') return 'number';
    if (node.type === 'array') return `${sent ? 'readonly ' : ''}(${typeOf(node.items, sent)})[]`;
    if (node.type !== 'object') return node.type ?? 'unknown';
    if (node.properties !== undefined) return fieldsOf(node, sent, owner);
    const { additionalProperties: values } = node;
    return values === undefined ? UNUSED : `{ readonly [key: string]: ${typeOf(values, sent)} }`;
  };

  const fieldsOf = ({ properties, required = [] }, sent, owner) => {
    const fields = Object.entries(properties)
      .filter(([name]) => choose.field(owner, name) || (sent && required.includes(name)))
      .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, sent)}`);
    return fields.length === 0 ? UNUSED : `{ ${fields.join('; ')} }`;
  };

  return {
    refer,
    types() {
      choose.assertComplete();
      return NAMED.map((name) => [name, named.get(name)]);
    },
  };
}

/** Says what is used, and in the end whether the schema had all of it. */
function createChoice() {
  const missing = new Set();
  for (const table of [FIELDS, ALTERNATIVES]) {
    for (const [owner, names] of Object.entries(table)) {
      for (const name of names) missing.add(`${owner}.${name}`);
    }
  }
  const isUsed = (names, owner, name) => {
    if (names?.includes(name) === true) missing.delete(`${owner}.${name}`);
    return names?.includes(name) !== false;
  };
  return {
    field: (owner, name) => isUsed(FIELDS[owner], owner, name),
    alternative: (owner, name) => isUsed(ALTERNATIVES[owner], owner, name),
    assertComplete() {
      if (missing.size > 0)
        throw new Error(`the schema has no ${[...missing].join(', ')}; see used-protocol.mjs`);
    },
  };
}

/** What an alternative is called: its texts, its `type`, or its first field. */
function tagsOf(node) {
  return node.enum ?? node.properties?.type?.enum ?? [Object.keys(node.properties ?? {})[0]];
}

function unionOf(types) {
  return [...new Set(types)].join(' | ');
}

function quote(text) {
  return `'${text}'`;
}
