import { createServer } from 'node:net';
import type { PortFacts } from '../../doctor/effects.ts';
import { explainBindError } from '../../server/listen/bind-error.ts';
import { findPortHolder } from '../../server/listen/port-holder.ts';

/** Takes the address for an instant: no other way tells for sure. */
export async function tryPort(host: string, port: number): Promise<PortFacts> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, exclusive: true }, resolve);
    });
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    return { problem: null, holderPid: null };
  } catch (error) {
    const { message, hint } = await explainBindError(error, host, port);
    const holder = await findPortHolder(port);
    return { problem: { message, hint: hint ?? '' }, holderPid: holder?.pid ?? null };
  }
}
