import { type ForgeServer, startForge, whyNoForge } from './forge-server.ts';

/** Why the suite cannot run here, or null. Decided once, before tests are collected. */
export const missing: string | null = await whyNoForge();
if (missing !== null) console.warn(`SKIPPED: no real forge here: ${missing}`);

let running: Promise<ForgeServer> | null = null;

/** One server per test file, started when the first test asks. */
export function forge(): Promise<ForgeServer> {
  running ??= startForge();
  return running;
}

export async function stopForge(): Promise<void> {
  await (await running)?.stop();
  running = null;
}
