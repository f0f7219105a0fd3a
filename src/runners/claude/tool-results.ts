import { type Activity, activity, asText, callText } from '../session/activity.ts';
import type { Fields } from './connection.ts';
import type { ContentBlock } from './protocol.ts';
import { userSchema } from './protocol.ts';

const MAX_OPEN_CALLS = 200;

/** Brings the answers of Claude's own tools together with the calls they belong to. */
export class ToolResults {
  readonly #open = new Map<string, Activity>();

  /** A call whose answer is worth telling. */
  expect(call: Activity | null): void {
    const id = call?.call?.callId ?? '';
    if (call === null || id === '') return;
    this.#open.set(id, call);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN_CALLS && oldest !== undefined) this.#open.delete(oldest);
  }

  /** What a message of the user's side, where answers of tools come, tells about calls; empty for any other. */
  accept(message: Fields): readonly Activity[] {
    const blocks = userSchema.safeParse(message).data?.message.content ?? [];
    return blocks.flatMap((block) => this.#answer(block) ?? []);
  }

  #answer(block: ContentBlock): Activity | null {
    const id = asText(block['tool_use_id']);
    const asked = block.type === 'tool_result' ? this.#open.get(id) : undefined;
    if (asked === undefined) return null;
    this.#open.delete(id);
    const failed = block['is_error'] === true;
    const said = textOf(block['content']);
    // Only a failed command tells its code, in the first line of its answer.
    const code = /^Exit code (\d{1,3})\b/.exec(said)?.[1];
    const exitCode = asked.kind !== 'command' ? undefined : failed ? numberOf(code) : 0;
    return activity(asked.kind, `${asked.text} (${failed ? 'failed' : 'done'})`, {
      ...asked.call,
      output: callText(said),
      failed,
      ...(exitCode === undefined ? {} : { exitCode }),
    });
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part ? asText(part.text) : '',
    )
    .filter((part) => part !== '')
    .join('\n');
}
