/** Texts that mean themselves in Claude's notation for tools, also in a list with commas. */
const MEANS_ITSELF = /^[^(),*\\\n]+$/;

/**
 * The rules by which Claude runs the workflow's own checks without asking: exactly these commands. One that Claude's notation
 * could take for more than itself has no rule; Claude asks about it, and the answer is in `isVerifyCommand`.
 */
export function verifyRules(commands: readonly string[]): readonly string[] {
  return commands
    .map((command) => command.trim())
    .filter((command) => MEANS_ITSELF.test(command))
    .map((command) => `Bash(${command})`);
}

/** True when Claude asks for one of the workflow's own checks, to the letter. */
export function isVerifyCommand(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  commands: readonly string[],
): boolean {
  const { command } = input;
  if (tool !== 'Bash' || typeof command !== 'string') return false;
  return commands.some((known) => known.trim() === command.trim());
}
