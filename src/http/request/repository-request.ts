import { type Repository, repositoryPath } from '../../domain/repository.ts';
import type { ApiHttp, ApiRequest, ApiResponse } from './api-http.ts';

/** Sends a request about one repository of a forge, for a tool. */
export type SendToRepository = (
  method: NonNullable<ApiRequest['method']>,
  path: string,
  signal: AbortSignal,
  more?: Pick<ApiRequest, 'body' | 'expected' | 'idempotent' | 'maxBytes'>,
) => Promise<ApiResponse>;

/** `path` is appended to the address of the repository. */
export function sendToRepository(http: ApiHttp, repository: Repository): SendToRepository {
  const root = repositoryPath(repository);
  return (method, path, signal, more = {}) =>
    http.request({ method, path: `${root}${path}`, purpose: 'tool', signal, ...more });
}
