/** A server's answer, changed on its way. */
interface Rewriting {
  readonly kind: 'change';
  change(body: unknown): unknown;
}

type Json = Record<string, unknown>;

/** Replaces values of the one issue that has this id or number; null takes the place of the whole record. */
export function rewriting(identity: Json, values: Json | null): Rewriting {
  const [[field, wanted] = ['', null]] = Object.entries(identity);
  const isIt = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && 'title' in value && (value as Json)[field] === wanted;
  const change = (body: unknown): unknown =>
    JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
      if (!isIt(value)) return value;
      return values === null ? null : { ...value, ...values };
    });
  return { kind: 'change', change };
}

/** Linear's answer without one issue, and an error in its place. */
export function withoutNode(id: string): (body: Json) => Json {
  return (body) => {
    const { issues } = body['data'] as { issues: { nodes: Json[] } };
    const nodes = issues.nodes.filter((node) => node['id'] !== id);
    return { data: { issues: { ...issues, nodes } }, errors: [{ message: 'timeout', path: ['issues'] }] };
  };
}

/** GitHub's answer with an error in the place of one issue. */
export function withoutAlias(body: unknown, alias: string): Json {
  const { data } = body as { data: { repository: Json } };
  return {
    data: { repository: { ...data.repository, [alias]: null } },
    errors: [{ type: 'INTERNAL', message: 'Something went wrong', path: ['repository', alias] }],
  };
}
