import { Secret } from '../config/resolve/secret.ts';
import { type ApiHttp, type ApiHttpOptions, createApiHttp } from './request/api-http.ts';

export type GiteaHttpOptions = Pick<
  ApiHttpOptions,
  'clock' | 'logger' | 'governor' | 'fetch' | 'timeoutMs'
> & {
  readonly token: Secret /** Address of the server, with or without `/api/v1`. */;
  readonly endpoint: string;
};

/** The API of Gitea and Forgejo. */
export function createGiteaHttp(options: GiteaHttpOptions): ApiHttp {
  const { clock, logger, governor } = options;
  return createApiHttp({
    provider: 'Gitea',
    baseUrl: `${options.endpoint.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`,
    authorization: new Secret(`token ${options.token.reveal()}`),
    clock,
    logger,
    governor,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
}
