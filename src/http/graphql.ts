import { isRecord } from '../domain/is-record.ts';
import { AppError } from '../errors/app-error.ts';
import type { Purpose } from './budget/governor.ts';
import type { ApiHttp } from './request/api-http.ts';

export interface GraphqlRequest {
  /** Appended to the base address; empty when that is the GraphQL address itself. */
  readonly path: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
  readonly meter?: string;
  /** True for queries: one retry may follow a passing failure. */
  readonly idempotent: boolean;
  readonly maxBytes?: number;
}

/** The envelope as it came; `errors` is empty when there are none. */
export interface GraphqlAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphqlError[];
}

export interface GraphqlError {
  readonly message: string;
  /** `type` or `extensions.code`; empty when the provider gives none. */
  readonly code: string;
  readonly path: readonly (string | number)[];
}

const MAX_ERRORS = 20;

/** Sends one operation. An error status is an answer when it carries GraphQL errors. */
export async function postGraphql(http: ApiHttp, request: GraphqlRequest): Promise<GraphqlAnswer> {
  const { path, query, variables, ...rest } = request;
  const response = await http.request({
    ...rest,
    path,
    method: 'POST',
    body: { query, variables },
    expected: [400],
  });
  const { json, status } = response;
  const errors = isRecord(json) && Array.isArray(json['errors']) ? json['errors'] : [];
  const data = isRecord(json) && isRecord(json['data']) ? json['data'] : null;
  if (data === null && errors.length === 0) {
    throw status === 400
      ? new AppError('tracker_status', 'The tracker refused the request with status 400.', {
          context: { status },
        })
      : new AppError('tracker_response', 'The answer of the tracker has neither data nor errors.');
  }
  return { data, errors: errors.slice(0, MAX_ERRORS).map((error) => readError(error, http)) };
}

function readError(error: unknown, http: ApiHttp): GraphqlError {
  const record = isRecord(error) ? error : {};
  const extensions = isRecord(record['extensions']) ? record['extensions'] : {};
  const message = record['message'];
  const code = record['type'] ?? extensions['code'] ?? extensions['type'];
  const path = Array.isArray(record['path']) ? record['path'] : [];
  return {
    message: http.redact(typeof message === 'string' ? message.slice(0, 500) : 'an error without a message'),
    code: typeof code === 'string' ? code : '',
    path: path.filter((part) => typeof part === 'string' || typeof part === 'number'),
  };
}
