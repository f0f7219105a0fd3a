/** How the line begins on which a bench gives its figures to `npm run bench`. */
export const FIGURES_LINE = 'figures: ';

/** Gives figures, by the names that scripts/lib/bench-rows.mjs has for them; a person sees the bench's own table only. */
export function reportFigures(figures) {
  if (process.env.BENCH_FIGURES === '1') console.log(`${FIGURES_LINE}${JSON.stringify(figures)}`);
}
