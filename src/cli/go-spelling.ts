/** Options of the Go worker's programs by the command that took their place; Go takes a long option with one dash, too. */
const GO_OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  worker: new Set([
    'port',
    'print-config',
    'doctor',
    'mode',
    'deploy',
    'dashboard-url',
    'go-test-dir',
    'github-issue',
    'github-repo',
    'version',
    'help',
  ]),
  tui: new Set(['url', 'interval', 'raw', 'version', 'help']),
};

/** The command line with `-port=4001` as `--port=4001`, for the commands and options that a Go worker had. */
export function withTwoDashes(args: readonly string[], command: string): readonly string[] {
  const options = Object.hasOwn(GO_OPTIONS, command) ? GO_OPTIONS[command] : undefined;
  if (options === undefined) return args;
  const end = args.indexOf('--');
  return args.map((word, index) => {
    const [, name = ''] = /^-([a-z][a-z-]+)(?:=|$)/.exec(word) ?? [];
    const isOption = end === -1 || index < end;
    return isOption && options.has(name) ? `-${word}` : word;
  });
}
