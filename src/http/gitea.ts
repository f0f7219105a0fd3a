import { Secret } from '../config/resolve/secret.ts';
import { type ApiConnection, type ApiHttp, createApiHttp } from './request/api-http.ts';

export interface GiteaHttpOptions extends ApiConnection {
  readonly token: Secret;
  /** Address of the server, with or without `/api/v1`. */
  readonly endpoint: string;
}

/** The API of Gitea and Forgejo. */
export function createGiteaHttp(options: GiteaHttpOptions): ApiHttp {
  return createApiHttp({
    ...options,
    provider: 'Gitea',
    baseUrl: `${options.endpoint.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`,
    authorization: new Secret(`token ${options.token.reveal()}`),
  });
}
