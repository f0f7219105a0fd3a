/**
 * Checks a value against the part of JSON Schema that Codex generates. Stricter than the schema on purpose: a field that
 * the schema does not name is a mistake of the sender. Returns the first problem, or null.
 */
export function findProblem(schema, value, definitions, at = '$') {
  if (schema === true || schema === undefined) return null;
  if (schema === false) return `${at} must not be there`;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/definitions/'.length);
    return findProblem(definitions[name] ?? false, value, definitions, at);
  }
  return (
    checkType(schema, value, at) ??
    checkValues(schema, value, at) ??
    checkCombination(schema, value, definitions, at) ??
    checkFields(schema, value, definitions, at) ??
    checkItems(schema, value, definitions, at)
  );
}

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function checkType({ type }, value, at) {
  if (type === undefined) return null;
  const allowed = [type].flat();
  const found = typeOf(value);
  if (allowed.includes(found) || (found === 'integer' && allowed.includes('number'))) return null;
  return `${at} is ${found}, expected ${allowed.join(' or ')}`;
}

function checkValues({ enum: values, const: only, minimum }, value, at) {
  if (values !== undefined && !values.includes(value))
    return `${at} is ${JSON.stringify(value)}, expected ${values.join(' or ')}`;
  if (only !== undefined && value !== only) return `${at} is not ${JSON.stringify(only)}`;
  if (minimum !== undefined && typeof value === 'number' && value < minimum)
    return `${at} is below ${minimum}`;
  return null;
}

function checkCombination({ oneOf, anyOf, allOf }, value, definitions, at) {
  const choices = oneOf ?? anyOf;
  if (choices !== undefined) {
    const problems = choices.map((choice) => findProblem(choice, value, definitions, at));
    if (!problems.includes(null)) return `${at} fits no variant: ${problems.join('; ')}`.slice(0, 2000);
  }
  for (const part of allOf ?? []) {
    const problem = findProblem(part, value, definitions, at);
    if (problem !== null) return problem;
  }
  return null;
}

function checkFields(schema, value, definitions, at) {
  if (typeOf(value) !== 'object') return null;
  const { properties = {}, required = [], additionalProperties, oneOf, anyOf, allOf } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const combined = [oneOf, anyOf, allOf].some((part) => part !== undefined);
  const closed = 'properties' in schema && !combined;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const known = Object.hasOwn(properties, name) ? properties[name] : (additionalProperties ?? !closed);
    const problem = findProblem(known, inner, definitions, `${at}.${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

function checkItems({ items }, value, definitions, at) {
  if (items === undefined || !Array.isArray(value)) return null;
  for (const [index, inner] of value.entries()) {
    const problem = findProblem(items, inner, definitions, `${at}[${index}]`);
    if (problem !== null) return problem;
  }
  return null;
}
