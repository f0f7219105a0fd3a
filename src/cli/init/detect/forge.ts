import type { ForgeSettings } from '../../../config/kinds.ts';
import { findForge as forgeOfHost } from '../../../forges/registry.ts';
import { parseRemote, type RemoteAddress } from './address.ts';
import type { ForgeFacts } from './facts.ts';

/** The forge behind an address; null when there is none that is known. */
export async function findForge(cloneUrl: string): Promise<ForgeFacts | null> {
  const remote = parseRemote(cloneUrl);
  if (remote === null) return null;
  const forge = await forgeOfHost(remote.host, remote.origin);
  if (forge === null) return null;
  const { owner, name } = remote;
  return { kind: forge.kind, endpoint: endpointOf(forge, remote), owner, name };
}

/** The address of its API as `tracker.endpoint` wants it; null for the service that is the default. */
export function endpointOf(
  { service, apiPath }: ForgeSettings,
  { host, origin }: RemoteAddress,
): string | null {
  return service?.hosts.includes(host) === true ? null : `${origin}${apiPath}`;
}
