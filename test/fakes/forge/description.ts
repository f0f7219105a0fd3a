import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

interface Operation {
  readonly query: Readonly<Record<string, object>>;
  readonly body: object | null;
  readonly answers: Readonly<Record<string, object | null>>;
  readonly example: unknown;
}

export interface MatchedOperation {
  /** As the description spells it: `get /repos/{owner}/{repo}`. */
  readonly name: string;
  readonly path: Readonly<Record<string, string>>;
}

/** The committed part of a forge's API description. What it does not know is reported in words. */
export interface ApiDescription {
  match(method: string, pathname: string): MatchedOperation | null;
  problemsOfRequest(name: string, query: URLSearchParams, body: unknown): readonly string[];
  problemsOfAnswer(name: string, status: number, body: unknown): readonly string[];
  /** The official example of a successful answer. */
  example(name: string): unknown;
}

export function readDescription(file: URL): ApiDescription {
  const { operations, definitions } = JSON.parse(readFileSync(file, 'utf8')) as {
    operations: Readonly<Record<string, Operation>>;
    definitions: object;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: false });
  ajv.addSchema({ $id: 'api', definitions });
  const validators = new Map<object, ValidateFunction>();
  const patterns = Object.keys(operations).map((name) => ({ name, pattern: patternOf(name) }));

  function validate(schema: object, value: unknown): readonly string[] {
    const text = JSON.stringify(schema).replaceAll('"#/definitions/', '"api#/definitions/');
    const validator = validators.get(schema) ?? ajv.compile(JSON.parse(text) as object);
    validators.set(schema, validator);
    if (validator(value)) return [];
    return (validator.errors ?? [])
      .slice(0, 5)
      .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
  }

  function operation(name: string): Operation {
    const found = operations[name];
    if (found === undefined) throw new Error(`no operation ${name}`);
    return found;
  }

  return {
    match(method, pathname) {
      for (const { name, pattern } of patterns) {
        const found = pattern.exec(`${method.toLowerCase()} ${pathname}`);
        if (found === null) continue;
        const entries = Object.entries(found.groups ?? {});
        return {
          name,
          path: Object.fromEntries(entries.map(([key, value]) => [key, decodeURIComponent(value)])),
        };
      }
      return null;
    },
    problemsOfRequest(name, query, body) {
      const { query: known, body: schema } = operation(name);
      const problems: string[] = [];
      for (const [key, value] of query) {
        const wanted = known[key];
        if (wanted === undefined) problems.push(`unknown parameter ${key}`);
        else if (!fits(value, wanted, validate)) problems.push(`parameter ${key}=${value} is not valid`);
      }
      if (body !== undefined && schema === null) problems.push('a body where none belongs');
      if (body !== undefined && schema !== null)
        problems.push(...validate(schema, body).map((it) => `body${it}`));
      return problems;
    },
    problemsOfAnswer(name, status, body) {
      const { answers } = operation(name);
      const schema = answers[String(status)];
      if (schema === undefined) return [`status ${status} is not in the description`];
      return schema === null ? [] : validate(schema, body).map((problem) => `answer${problem}`);
    },
    example: (name) => structuredClone(operation(name).example),
  };
}

/** A parameter is text; its schema may want a number. */
function fits(
  value: string,
  schema: object,
  validate: (schema: object, value: unknown) => readonly string[],
): boolean {
  const candidates: unknown[] = [value];
  if (/^-?\d+$/.test(value)) candidates.push(Number(value));
  if (['true', 'false'].includes(value)) candidates.push(value === 'true');
  return candidates.some((candidate) => validate(schema, candidate).length === 0);
}

function patternOf(name: string): RegExp {
  const escaped = name.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
