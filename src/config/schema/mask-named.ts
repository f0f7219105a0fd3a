import { isMap } from '../read/is-map.ts';

const SECRET_NAME = /key$|token|secret|password|credential|auth/i;

/** What an adapter will make of its own keys is not known here, so anything named like a credential is masked. */
export function maskNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskNamed);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const secret = name !== 'team_key' && SECRET_NAME.test(name);
      return [name, secret ? '***' : maskNamed(item)];
    }),
  );
}
