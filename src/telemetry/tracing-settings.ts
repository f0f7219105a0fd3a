import { type Environment, nonBlank } from '../config/read/environment.ts';

/** What the standard environment variables say about tracing. */
export type TracingSettings =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly url: string; readonly secrets: readonly string[] }
  /** Somebody wants traces in a way that cannot be had. */
  | { readonly kind: 'unusable'; readonly why: string };

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const HEADERS = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

/** Traces are wanted when an endpoint is named and nothing turns them off. */
export function readTracingSettings(environment: Environment): TracingSettings {
  const base = nonBlank(environment, ENDPOINT);
  const traces = nonBlank(environment, TRACES_ENDPOINT);
  if ((base === null && traces === null) || isTurnedOff(environment)) return { kind: 'off' };
  const protocol =
    nonBlank(environment, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ??
    nonBlank(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol?.trim() === 'grpc') {
    return {
      kind: 'unusable',
      why: 'OTLP over gRPC is not spoken; set OTEL_EXPORTER_OTLP_PROTOCOL to http/json',
    };
  }
  const [name, written] = traces === null ? [ENDPOINT, base ?? ''] : [TRACES_ENDPOINT, traces];
  const url = httpUrl(written.trim());
  if (url === null) return { kind: 'unusable', why: `${name} is not an http or https address` };
  const secrets = [...headerValues(environment), url.password].filter((value) => value !== '');
  if (traces === null) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return { kind: 'on', url: url.href, secrets };
}

function isTurnedOff(environment: Environment): boolean {
  const disabled = nonBlank(environment, 'OTEL_SDK_DISABLED')?.trim().toLowerCase();
  return disabled === 'true' || nonBlank(environment, 'OTEL_TRACES_EXPORTER')?.trim() === 'none';
}

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

/** Headers usually carry the key of the receiver: `name=value,name=value`, each percent-encoded. */
function headerValues(environment: Environment): string[] {
  return HEADERS.flatMap((name) => (environment[name] ?? '').split(',')).flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    return pair.includes('=') ? [value, decoded(value)] : [];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
