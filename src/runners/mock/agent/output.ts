import type { AgentMessage } from '../messages.ts';

/** Writes one message; resolves when the reader has room for the next, so that a flood never piles up here. */
export function send(message: AgentMessage): Promise<void> {
  return writeRaw(`${JSON.stringify(message)}\n`);
}

export async function writeRaw(bytes: string | Uint8Array): Promise<void> {
  if (process.stdout.write(bytes)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve));
}
