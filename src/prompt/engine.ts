import type { Context, Template } from 'liquidjs';
import type { Delimiters } from './delimiters.ts';
import { delimitOutputs } from './outside.ts';

export interface Engine {
  /** With `delimit`, whatever the template prints from outside is put between delimiters. */
  parse(source: string, delimit: boolean): Template[];
  render(templates: Template[], variables: object, delimiters: Delimiters): Promise<string>;
}

const MAX_CHARACTERS = 5_000_000;
const MAX_RENDER_MS = 5_000;
const MAX_MEMORY = 50_000_000;
const MAX_TEMPLATES = 20;

/**
 * Liquid with unknown variables and filters as errors, also in conditions; only the `default` filter forgives a
 * missing variable. Templates cannot read files, and cannot run or grow without end. The filter `untrusted` puts a value
 * between delimiters.
 */
export async function createEngine(): Promise<Engine> {
  const { analyzeSync, Liquid, toValueSync, Value } = await import('liquidjs');
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: MAX_CHARACTERS,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY,
    timezoneOffset: 0,
    // Dates read the same on every machine, and nobody loads the names of all languages to find out its own.
    locale: 'en-US',
  });
  /** Of the renderings under way, by the variables they were given. */
  const delimitersInUse = new WeakMap<object, Delimiters>();
  const delimitersOf = ({ environments }: Context): Delimiters => {
    const delimiters = delimitersInUse.get(environments);
    if (delimiters === undefined) throw new Error('this rendering was given no delimiters');
    return delimiters;
  };
  liquid.registerFilter('untrusted', function (value: unknown) {
    return delimitersOf(this.context).wrap(value);
  });
  /** `lenientIf` is needed for `default`, but it also forgives misspelt names in conditions; this takes that back. */
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
    parse(source, delimit) {
      const key = `${delimit} ${source}`;
      const known = parsed.get(key);
      if (known !== undefined) return known;
      const templates = liquid.parse(source);
      makeStrict(templates);
      if (delimit) delimitOutputs(templates, { analyzeSync, toValueSync, delimitersOf });
      if (parsed.size >= MAX_TEMPLATES) parsed.clear();
      parsed.set(key, templates);
      return templates;
    },
    async render(templates, variables, delimiters) {
      delimitersInUse.set(variables, delimiters);
      return String(await liquid.render(templates, variables));
    },
  };
}
