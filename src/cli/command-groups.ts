import type { Command } from 'commander';

/** How the help puts commands together. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Set up and run:': ['init', 'doctor', 'worker', 'demo'],
  'See what happens:': ['status', 'tui', 'issues', 'explain', 'logs', 'runs', 'history', 'workers', 'open'],
  'Act on a running worker:': [
    ...['pause', 'resume', 'stop', 'retry', 'unblock', 'answer', 'message', 'push', 'clear-stop'],
  ],
  'Look after things:': ['issue', 'rescue', 'config', 'labels', 'completion'],
};

export function groupCommands(program: Command): void {
  const groups = new Map(
    Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [name, group])),
  );
  for (const command of program.commands) {
    const group = groups.get(command.name());
    if (group !== undefined) command.helpGroup(group);
  }
  program
    .commandsGroup(Object.keys(GROUPS).at(-1) ?? '')
    .helpCommand('help [command]', 'print the help of a command');
}
