import { quote } from '../../../config/read/problem.ts';
import type { Resolution } from '../../../config/resolve/context.ts';
import { nearest } from '../../../domain/nearest.ts';

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === 'boolean';
const isPathList: Check = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isNetworkWord: Check = (value) => value === 'restricted' || value === 'enabled';

interface Field {
  readonly check: Check;
  readonly wants: string;
}

const FLAG: Field = { check: isFlag, wants: 'true or false' };

/** The fields of each policy type; all of them are required. */
const TYPES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  dangerFullAccess: {},
  readOnly: { networkAccess: FLAG },
  externalSandbox: { networkAccess: { check: isNetworkWord, wants: 'restricted or enabled' } },
  workspaceWrite: {
    writableRoots: { check: isPathList, wants: 'a list of paths' },
    networkAccess: FLAG,
    excludeTmpdirEnvVar: FLAG,
    excludeSlashTmp: FLAG,
  },
};

const LEGACY = ['mode', 'readOnlyAccess', 'access'];

/** Codex refuses a policy with a missing or unknown field at the first turn; this says so when the file is read. */
export function checkTurnSandboxPolicy(
  at: Resolution,
  block: string,
  policy: Readonly<Record<string, unknown>>,
): void {
  const type = policy['type'];
  const fields = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (fields === undefined) {
    const what = type === undefined ? 'has no type' : `has the unknown type ${quote(type)}`;
    at.problem(`${block}.type`, `${block} ${what}`, `Set type to one of ${Object.keys(TYPES).join(', ')}.`);
    return;
  }
  for (const [name, field] of Object.entries(fields)) {
    const key = `${block}.${name}`;
    if (!Object.hasOwn(policy, name))
      at.problem(key, `${key} is required for type ${type}`, `Write ${field.wants}.`);
    else if (!field.check(policy[name]))
      at.problem(key, `${key} must be ${field.wants}`, `Write ${field.wants}.`);
  }
  for (const name of Object.keys(policy)) {
    if (name === 'type' || Object.hasOwn(fields, name)) continue;
    const key = `${block}.${name}`;
    const meant = LEGACY.includes(name) ? null : nearest(name, Object.keys(fields));
    const hint = meant === null ? 'Remove it.' : `Did you mean ${meant}?`;
    at.problem(key, `${key} is not a field of type ${type}`, hint);
  }
}
