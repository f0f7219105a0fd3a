import { Secret } from '../config/resolve/secret.ts';
import { type ApiHttp, type ApiHttpOptions, createApiHttp } from './request/api-http.ts';

export type GithubHttpOptions = Pick<
  ApiHttpOptions,
  'clock' | 'logger' | 'governor' | 'fetch' | 'timeoutMs'
> & { readonly token: Secret };

/** GitHub's API at `https://api.github.com`, or `https://HOST/api/v3` of GitHub Enterprise Server. */
export function createGithubHttp(options: GithubHttpOptions, baseUrl: string): ApiHttp {
  const { clock, logger, governor } = options;
  return createApiHttp({
    provider: 'GitHub',
    baseUrl,
    authorization: new Secret(`Bearer ${options.token.reveal()}`),
    clock,
    logger,
    governor,
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
}
