export const FIGURES_LINE: string;
export function reportFigures(figures: Readonly<Record<string, number>>): void;
