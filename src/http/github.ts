import { Secret } from '../config/resolve/secret.ts';
import { type ApiConnection, type ApiHttp, createApiHttp } from './request/api-http.ts';

export interface GithubHttpOptions extends ApiConnection {
  readonly token: Secret;
}

/** GitHub's API at `https://api.github.com`, or `https://HOST/api/v3` of GitHub Enterprise Server. */
export function createGithubHttp(options: GithubHttpOptions, baseUrl: string): ApiHttp {
  return createApiHttp({
    ...options,
    provider: 'GitHub',
    baseUrl,
    authorization: new Secret(`Bearer ${options.token.reveal()}`),
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  });
}
