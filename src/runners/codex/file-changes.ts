import { changedPaths } from './activity.ts';
import { itemSchema } from './protocol.ts';

const MAX_CHANGES = 20;
const MAX_PATHS = 20;

/** The files of the latest changes that the agent may ask about, by the id of their item. */
export class FileChanges {
  readonly #paths = new Map<string, readonly string[]>();

  /** The params of an item that begins. */
  remember(params: unknown): void {
    const item = itemSchema.safeParse(params).data?.item;
    if (item?.type !== 'fileChange') return;
    this.#paths.set(item.id, changedPaths(item).slice(0, MAX_PATHS));
    const [oldest] = this.#paths.keys();
    if (this.#paths.size > MAX_CHANGES && oldest !== undefined) this.#paths.delete(oldest);
  }

  of(itemId: string): readonly string[] {
    return this.#paths.get(itemId) ?? [];
  }
}
