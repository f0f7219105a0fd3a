import type { Context } from 'hono';

/** What the listener passes along with a request; the shape is the Node adapter's. */
export interface ConnectionInfo {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

export interface AppEnv {
  readonly Bindings: ConnectionInfo;
  readonly Variables: {
    /** Whether the request came with a token that may act. */
    mayAct: boolean;
  };
}

export type AppContext = Context<AppEnv>;

/** The address of the other end of the connection, null when it is unknown. */
export function peerAddress(c: AppContext): string | null {
  // Without a listener in front, there is no env at all.
  const env: ConnectionInfo | undefined = c.env;
  return env?.incoming?.socket.remoteAddress ?? null;
}

/** The path as it was sent: percent-encoding intact, dot segments resolved. */
export function rawPath(c: AppContext): string {
  return new URL(c.req.url).pathname;
}
