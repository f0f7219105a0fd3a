import type { Template } from 'liquidjs';

export interface Engine {
  parse(source: string): Template[];
  render(templates: Template[], variables: object): Promise<string>;
}

const MOST_CHARACTERS = 5_000_000;
const LONGEST_RENDER_MS = 5_000;
const MOST_MEMORY = 50_000_000;
const MOST_TEMPLATES = 20;

/**
 * Liquid with unknown variables and filters as errors, also in conditions; only the `default` filter forgives a
 * missing variable. Templates cannot read files, and cannot run or grow without end.
 */
export async function createEngine(): Promise<Engine> {
  const { Liquid, toValueSync, Value } = await import('liquidjs');
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: MOST_CHARACTERS,
    renderLimit: LONGEST_RENDER_MS,
    memoryLimit: MOST_MEMORY,
    timezoneOffset: 0,
  });
  /** `lenientIf` is needed for \`default\`, but it also forgives misspelt names in conditions; this takes that back. */
  const makeStrict = (templates: readonly Template[]): void => {
    for (const template of templates) {
      for (const value of template.arguments?.() ?? []) {
        if (!(value instanceof Value)) continue;
        const evaluate = value.value.bind(value);
        value.value = (context) => evaluate(context, false);
      }
      const children = template.children?.(false, true);
      if (children !== undefined) makeStrict(toValueSync(children));
    }
  };
  const parsed = new Map<string, Template[]>();
  return {
    parse(source) {
      const known = parsed.get(source);
      if (known !== undefined) return known;
      const templates = liquid.parse(source);
      makeStrict(templates);
      if (parsed.size >= MOST_TEMPLATES) parsed.clear();
      parsed.set(source, templates);
      return templates;
    },
    async render(templates, variables) {
      return String(await liquid.render(templates, variables));
    },
  };
}
