import { wordsOf } from '../../../config/schema/shell-words.ts';

/** True for `codex exec`, whatever path or options stand around the two words. */
export function runsCodexExec(command: string): boolean {
  return command.split(/[;&|\n]+/).some((part) => {
    const words = wordsOf(part);
    const start = words.findIndex((word) => /(^|\/)codex$/.test(word));
    const options = words.slice(start + 1);
    return start !== -1 && options.includes('exec') && !options.includes('app-server');
  });
}
