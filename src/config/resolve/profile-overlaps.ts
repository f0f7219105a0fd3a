import type { AgentProfile } from '../config.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from './context.ts';

/** A label or state that two profiles claim always goes to the first, which may not be what was meant. */
export function reportOverlaps(at: Resolution, profiles: readonly AgentProfile[]): void {
  for (const rule of ['labels', 'states'] as const) {
    const owners = new Map<string, string>();
    for (const profile of profiles) {
      for (const value of profile[rule]) {
        const owner = owners.get(value);
        if (owner === undefined) owners.set(value, profile.name);
        else warn(at, rule, value, profile.name, owner);
      }
    }
  }
}

function warn(
  at: Resolution,
  rule: 'labels' | 'states',
  value: string,
  profile: string,
  owner: string,
): void {
  const key = `agent.profiles.${profile}.${rule}`;
  const word = rule === 'labels' ? 'label' : 'state';
  const message = `${key}: the ${word} ${quote(value)} chooses ${owner}, which comes first`;
  at.warn(key, message, 'Remove it from one of the two profiles.');
}
