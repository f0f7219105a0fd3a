/** Variables that a shell script refers to as `$NAME` or `${NAME…}`, each once, in order. */
export function variablesNamedIn(script: string): readonly string[] {
  const found = script.matchAll(/(\\*)\$(?:\{[#!]?([A-Za-z_]\w*)|([A-Za-z_]\w*))/g);
  const names = [...found]
    .filter(([, slashes = '']) => slashes.length % 2 === 0)
    .map(([, , braced, plain]) => braced ?? plain ?? '');
  return [...new Set(names)];
}
