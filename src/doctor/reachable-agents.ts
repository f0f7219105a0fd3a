import type { Config } from '../config/config.ts';

/** An agent that a run of the workflow can have. */
export interface ReachableAgent {
  /** Unique among them; part of the id of its check. */
  readonly id: string;
  readonly kind: string;
  /** Empty for one that is built in. */
  readonly command: string;
  /** Its settings, with `agent.default` naming its kind. */
  readonly config: Config;
}

/** The default agent and those of all profiles; two that start the same program are one. */
export function reachableAgents(config: Config): readonly ReachableAgent[] {
  const { agent } = config;
  const choices = [
    { name: null, kind: agent.default, config },
    ...agent.profiles.map(({ name, runner, codex, claude, acp }) => ({
      name,
      kind: runner,
      config: { ...config, codex, claude, acp, agent: { ...agent, default: runner } },
    })),
  ];
  const found: ReachableAgent[] = [];
  for (const { name, kind, config: settings } of choices) {
    const command = commandOf(kind, settings);
    if (found.some((other) => other.kind === kind && other.command === command)) continue;
    const taken = found.some((other) => other.kind === kind);
    found.push({ id: taken ? `${kind}-${name}` : kind, kind, command, config: settings });
  }
  return found;
}

function commandOf(kind: Config['agent']['default'], { codex, claude, acp }: Config): string {
  if (kind === 'mock') return '';
  return { 'codex-app-server': codex, claude, acp }[kind].command;
}
