import type { Kinds } from '../kinds.ts';
import { type Block, block as makeBlock } from './key.ts';
import { notesOf } from './shape.ts';

/** The blocks of agents by their name, with the keys that a profile can have. */
export function ownBlocks({ agents }: Kinds): ReadonlyMap<string, Block> {
  return new Map(agents.flatMap(({ section, block }) => (block === null ? [] : [[section, block] as const])));
}

/** The blocks of agents as the top level has them: also with what trackers put into them for all agents. */
export function agentBlocks(kinds: Kinds): ReadonlyMap<string, Block> {
  const blocks = [...ownBlocks(kinds)].map(([section, own]): [string, Block] => {
    const added = kinds.trackers.flatMap(({ keyOfAgents }) =>
      keyOfAgents?.section === section ? [[keyOfAgents.name, keyOfAgents.key]] : [],
    );
    const { description = '' } = notesOf(own);
    const shape = { ...own.unwrap().shape, ...Object.fromEntries(added) };
    return [section, added.length === 0 ? own : makeBlock(shape, description)];
  });
  return new Map(blocks);
}

/** The block that an agent reads its settings from. */
export function blockOfAgent(
  kinds: Kinds,
  kind: string,
): { readonly section: string; readonly block: Block } {
  const section = kinds.agents.find((agent) => agent.kind === kind)?.section ?? '';
  const block = agentBlocks(kinds).get(section);
  if (block === undefined) throw new Error(`no agent has the block ${JSON.stringify(section)}`);
  return { section, block };
}
