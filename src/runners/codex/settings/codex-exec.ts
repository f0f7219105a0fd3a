/** True for `codex exec`, whatever path or options stand around the two words. */
export function runsCodexExec(command: string): boolean {
  return command.split(/[;&|\n]+/).some((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["']|["']$/g, ''));
    const start = words.findIndex((word) => /(^|\/)codex$/.test(word));
    return (
      start !== -1 &&
      words.slice(start + 1).includes('exec') &&
      !words.slice(start + 1).includes('app-server')
    );
  });
}
