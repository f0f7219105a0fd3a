import type { BlockName } from '../schema/agent-kinds.ts';
import type { WrittenProfile } from '../schema/profiles.ts';
import type { WrittenWorkflow } from '../schema/workflow.ts';
import type { Resolution } from './context.ts';

/** The block of one agent as it holds in one place: at the top level, or in a profile that puts other values into it. */
export interface AgentBlock<Name extends BlockName> {
  readonly written: WrittenWorkflow[Name];
  /** The dotted key that a value is written under. */
  keyOf(name: string): string;
}

export function topBlock<Name extends BlockName>(at: Resolution, block: Name): AgentBlock<Name> {
  return { written: at.written[block], keyOf: (name) => `${block}.${name}` };
}

/** What the profile writes, and the rest from the top level. Lists and maps are replaced whole. */
export function profileBlock<Name extends BlockName>(
  at: Resolution,
  block: Name,
  profile: string,
  overrides: WrittenProfile[Name],
): AgentBlock<Name> {
  const place = `${profile}.${block}`;
  return {
    written: Object.assign({ ...at.written[block] }, overrides),
    keyOf: (name) => (at.has(`${place}.${name}`) ? `${place}.${name}` : `${block}.${name}`),
  };
}
