import { Secret } from '../../config/resolve/secret.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Purpose } from '../../http/budget/governor.ts';
import { type GraphqlAnswer, type GraphqlError, postGraphql } from '../../http/graphql.ts';
import { type ConnectionPages, readConnection } from '../../http/pages/connection.ts';
import { type ApiConnection, createApiHttp } from '../../http/request/api-http.ts';
import { readLinearLimits } from './limits.ts';

export interface LinearConnection extends ApiConnection {
  /** Address of the GraphQL API. */
  readonly endpoint: string;
  readonly apiKey: Secret;
}

export interface LinearOperation {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly purpose: Purpose;
  readonly signal: AbortSignal;
  /** False for mutations, which are never sent twice. */
  readonly idempotent?: boolean;
  readonly maxBytes?: number;
}

export interface LinearClient {
  /** The answer as it came, errors included. */
  send(operation: LinearOperation): Promise<GraphqlAnswer>;
  /** The data of an answer without errors. */
  query(operation: LinearOperation): Promise<Readonly<Record<string, unknown>>>;
  /** Every entry of a connection, page by page; all or nothing. */
  all(pages: Pages): Promise<readonly unknown[]>;
  redact(text: string): string;
}

interface Pages extends Omit<ConnectionPages, 'fetch'> {
  readonly operation: Omit<LinearOperation, 'variables'>;
  variables(after: string | null): Readonly<Record<string, unknown>>;
  /** Where the connection is in the data. */
  connection(data: Readonly<Record<string, unknown>>): unknown;
}

export function createLinearClient(connection: LinearConnection): LinearClient {
  const http = createApiHttp({
    ...connection,
    provider: 'Linear',
    baseUrl: connection.endpoint,
    authorization: authorizationOf(connection.apiKey),
    readLimits: readLinearLimits,
  });

  async function send(operation: LinearOperation): Promise<GraphqlAnswer> {
    const { document, idempotent = true, ...rest } = operation;
    return postGraphql(http, { ...rest, path: '', query: document, idempotent });
  }

  async function query(operation: LinearOperation): Promise<Readonly<Record<string, unknown>>> {
    const { data, errors } = await send(operation);
    const [error] = errors;
    if (error !== undefined) throw graphqlError(error);
    if (data === null) throw new AppError('tracker_response', 'Linear answered without data.');
    return data;
  }

  return {
    send,
    query,
    redact: (text) => http.redact(text),
    all: ({ operation, variables, connection, ...pages }) =>
      readConnection({
        ...pages,
        fetch: async (after) => connection(await query({ ...operation, variables: variables(after) })),
      }),
  };
}

/** Personal keys are sent bare, tokens of an application as bearers. */
function authorizationOf(apiKey: Secret): Secret {
  const key = apiKey.reveal();
  return key.startsWith('lin_oauth_') ? new Secret(`Bearer ${key}`) : apiKey;
}

/** What Linear refused, in the port's categories. */
export function graphqlError({ message, code }: GraphqlError): AppError {
  if (/authentication|forbidden/i.test(code)) {
    return new AppError('tracker_status', `Linear does not accept the credential: ${message}`, {
      hint: 'Check tracker.api_key and what it may see.',
      context: { code },
    });
  }
  return new AppError('tracker_response', `Linear refused the request: ${message}`, {
    hint: 'Check tracker.project_slug and the rights of the credential.',
    context: { code },
  });
}
