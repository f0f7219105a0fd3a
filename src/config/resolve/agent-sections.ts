import { z } from 'zod';
import type { AgentKind, AgentOptions, ResolvedAgent } from '../kinds.ts';
import { readBlock } from '../schema/settings.ts';
import type { Resolution } from './context.ts';

/** The blocks of the agents, resolved: each as the top level has it, or with what a profile puts into it. */
export class AgentSections {
  readonly #at: Resolution;
  /** By the name of the block. */
  readonly options: ReadonlyMap<string, AgentOptions>;

  constructor(at: Resolution) {
    this.#at = at;
    const sections = [...at.format.agentBlocks].map(([section, block]): [string, AgentOptions] => {
      const settings = readBlock(at, block, at.valueAt(section), (name) => `${section}.${name}`);
      return [section, { ...settings, ...this.#extraOptions(section) }];
    });
    this.options = new Map(sections);
  }

  /** An agent as the top level has it. */
  agent(kind: string): ResolvedAgent {
    const { section } = this.kindNamed(kind);
    return this.#resolved(kind, this.options.get(section) ?? {});
  }

  /** An agent with what a profile writes into its block; lists and maps are replaced whole. */
  agentOfProfile(kind: string, profile: string, overrides: unknown): ResolvedAgent {
    const at = this.#at;
    const { section } = this.kindNamed(kind);
    const block = at.format.agentBlocks.get(section);
    if (block === undefined) return this.agent(kind);
    const place = `${profile}.${section}`;
    const written = Object.assign({}, at.valueAt(section), overrides);
    const settings = readBlock(at, block, written, (name) =>
      at.has(`${place}.${name}`) ? `${place}.${name}` : `${section}.${name}`,
    );
    return this.#resolved(kind, { ...this.options.get(section), ...settings });
  }

  checkChosen({ kind, options }: ResolvedAgent, chooser: string): void {
    this.kindNamed(kind).checkChosen?.(this.#at, chooser, options);
  }

  kindNamed(name: string): AgentKind {
    const found = this.#at.format.kinds.agents.find(({ kind }) => kind === name);
    if (found === undefined) throw new Error(`there is no agent ${JSON.stringify(name)}`);
    return found;
  }

  #extraOptions(section: string): AgentOptions {
    const owner = this.#at.format.kinds.agents.find(
      (kind) => kind.block !== null && kind.section === section,
    );
    return owner?.extraOptions?.(this.#at) ?? {};
  }

  #resolved(name: string, options: AgentOptions): ResolvedAgent {
    const { kind, builtIn, environment } = this.kindNamed(name);
    const { command, envPassthrough, turnTimeoutMs, stallTimeoutMs } = CommonOptions.parse(options);
    return {
      kind,
      command: builtIn === true ? '' : command,
      environment: [...envPassthrough, ...environment],
      timeouts: { turnMs: turnTimeoutMs, stallMs: stallTimeoutMs },
      options,
    };
  }
}

/** What the block of every agent has. */
const CommonOptions = z.object({
  command: z.string(),
  envPassthrough: z.array(z.string()),
  turnTimeoutMs: z.number(),
  stallTimeoutMs: z.number(),
});
