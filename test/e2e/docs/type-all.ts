import { expect } from 'vitest';
import { type DocumentedCommand, documentedCommands } from './documented-commands.ts';
import type { Project, Typed } from './project.ts';
import { wayOf } from './ways.ts';

/** Each text once, whatever pages have it. */
export function commandsOf(...places: readonly string[]): readonly DocumentedCommand[] {
  const seen = new Set<string>();
  return documentedCommands().filter(({ text }) => {
    if (!places.includes(wayOf(text).place) || seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

export function expectCode(
  { file, text }: DocumentedCommand,
  { code, err }: Typed,
  wanted: number | null,
): void {
  expect({ file, text, code, err: code === wanted ? '' : err }).toEqual({
    file,
    text,
    code: wanted,
    err: '',
  });
  expect(err).not.toContain('internal error');
}

/** As their ways say, each with the exit code that is expected of it. */
export async function typeAll(project: Project, commands: readonly DocumentedCommand[]): Promise<void> {
  for (const command of commands) {
    const way = wayOf(command.text);
    const wanted = 'code' in way ? way.code : 0;
    const typed =
      'until' in way ? await project.typeUntil(command.text, way.until) : await project.type(command.text);
    expectCode(command, typed, wanted);
  }
}
