import type { analyzeSync, Context, Emitter, Template, toValueSync } from 'liquidjs';
import type { Delimiters } from './delimiters.ts';

interface Tools {
  readonly analyzeSync: typeof analyzeSync;
  readonly toValueSync: typeof toValueSync;
  delimitersOf(context: Context): Delimiters;
}

type Segments = readonly unknown[];
/** What an expression may print: nothing from outside, only names such as an address or a branch, or any text. */
type Origin = 'inside' | 'names' | 'outside';

const INSIDE_FIELDS = new Set([
  ...['id', 'identifier', 'priority', 'state', 'dispatchable', 'created_at', 'updated_at', 'actor'],
]);
const NAME_FIELDS = new Set(['url', 'branch_name', 'assignee_id']);
/** One word, as in an address or a branch: nothing that reads like a sentence fits in. */
const NAME = /^[\w.~:/?#@!$&*+,;=%-]{1,500}$/;

/**
 * Has everything that a template prints from outside go through the delimiters of the rendering. Conditions, loops and
 * filters still see the bare values; a variable is from outside when anything it was made of is. What `capture` gathers
 * was delimited when it was printed.
 */
export function delimitOutputs(templates: readonly Template[], tools: Tools): void {
  const all = flatten(templates, tools);
  const outside = new Set<string>();
  const originOf = (template: Template): Origin => worst(variablesOf(template, tools), outside);
  for (let known = -1; known < outside.size; ) {
    known = outside.size;
    for (const template of all) {
      if (originOf(template) === 'inside') continue;
      for (const name of namesOf(template)) outside.add(name);
    }
  }
  for (const template of all) {
    const origin = originOf(template);
    if (origin !== 'inside' && template.children === undefined && template.localScope === undefined)
      delimitPrinted(template, origin, tools);
  }
}

function flatten(templates: readonly Template[], tools: Tools): readonly Template[] {
  return templates.flatMap((template) => {
    const children = template.children?.(false, true);
    return [template, ...(children === undefined ? [] : flatten(tools.toValueSync(children), tools))];
  });
}

/** The variables in a template's own arguments, not in what is nested in it. */
function variablesOf(template: Template, tools: Tools): readonly Segments[] {
  const given = template.arguments?.bind(template);
  if (given === undefined) return [];
  const alone: Template = { token: template.token, render: () => undefined, arguments: given };
  const { variables } = tools.analyzeSync([alone], { partials: false });
  return Object.values(variables).flatMap((uses) => uses.map((use) => use.toArray()));
}

/** What `assign`, `for` and their like define. */
function namesOf(template: Template): readonly string[] {
  const local = [...(template.localScope?.() ?? [])].map((token) =>
    typeof token === 'string' ? token : token.content,
  );
  return [...local, ...(template.blockScope?.() ?? [])];
}

function worst(variables: readonly Segments[], outside: ReadonlySet<string>): Origin {
  const origins = variables.map((segments) => originOfVariable(segments, outside));
  if (origins.includes('outside')) return 'outside';
  return origins.includes('names') ? 'names' : 'inside';
}

function originOfVariable([root, field, ...more]: Segments, outside: ReadonlySet<string>): Origin {
  if (outside.has(String(root))) return 'outside';
  if (root !== 'issue' && root !== 'task') return 'inside';
  if (typeof field !== 'string') return 'outside';
  if (INSIDE_FIELDS.has(field)) return 'inside';
  return NAME_FIELDS.has(field) && more.length === 0 ? 'names' : 'outside';
}

function delimitPrinted(template: Template, origin: Origin, { delimitersOf }: Tools): void {
  const render = template.render.bind(template);
  template.render = function* (context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
    const delimit = (value: unknown): unknown =>
      origin === 'names' && typeof value === 'string' && NAME.test(value)
        ? value
        : delimitersOf(context).wrap(value);
    const delimiting: Emitter = { buffer: '', write: (value: unknown) => emitter.write(delimit(value)) };
    return delimit(yield render(context, delimiting));
  };
}
