import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an IP address of this machine's loopback interface, IPv4-mapped ones included. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** True when a Host header names this machine itself: `localhost` or a loopback address, any port. */
export function isLoopbackHost(header: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(header.trim());
  if (match === null) return false;
  const [, bracketed, plain] = match;
  if (bracketed !== undefined) return isIP(bracketed) === 6 && isLoopbackAddress(bracketed);
  return plain !== undefined && (plain.toLowerCase() === 'localhost' || isLoopbackAddress(plain));
}
