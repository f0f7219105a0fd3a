/** Tokens used up to a moment. */
interface Sample {
  readonly at: number;
  readonly tokens: number;
}

const WINDOW_MS = 5_000;

/** What is needed for the tokens per second of the last seconds: one sample before that time, and all since. */
export type Throughput = readonly Sample[];

/** A count that went down belongs to another worker: it begins anew. */
export function addSample(samples: Throughput, at: number, tokens: number): Throughput {
  const last = samples.at(-1);
  if (last !== undefined && (tokens < last.tokens || at < last.at)) return [{ at, tokens }];
  const begin = samples.findIndex((_sample, index) => {
    const next = samples[index + 1];
    return next === undefined || next.at > at - WINDOW_MS;
  });
  return [...samples.slice(Math.max(0, begin)), { at, tokens }];
}

/** Null while one sample is all there is. */
export function tokensPerSecond(samples: Throughput): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at <= first.at) return null;
  return ((last.tokens - first.tokens) / (last.at - first.at)) * 1000;
}
