import type { FetchLike } from '../../../contract/client.ts';
import type { StreamFetch } from '../../../contract/follow.ts';
import type { App } from '../../../server/app.ts';

/** The worker's API for a part of its own program: no socket in between, the same rules. */
export interface InsideApi {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: FetchLike & StreamFetch;
  /** Where others find it now; null while nothing listens. */
  url(): string | null;
}

/** It is asked under a name of this machine, as from this machine. */
const HOST = 'localhost';
const THIS_MACHINE = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

export function insideApi(app: Pick<App, 'fetch'>, token: string, url: () => string | null): InsideApi {
  return {
    baseUrl: `http://${HOST}`,
    token,
    url,
    async fetch(address: string, init: RequestInit): Promise<Response> {
      const { signal } = init;
      const request = new Request(address, init);
      request.headers.set('host', HOST);
      const response = await app.fetch(request, THIS_MACHINE);
      if (response.body === null || !signal) return response;
      // Who gives up reading must not go on being written to.
      const body = response.body.pipeThrough(new TransformStream(), { signal });
      return new Response(body, response);
    },
  };
}
