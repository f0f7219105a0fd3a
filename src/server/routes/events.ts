import type { Hono } from 'hono';
import { EVENTS_PATH } from '../../contract/api.ts';
import type { AppContext, AppEnv } from '../app-env.ts';
import { methodNotAllowed } from '../error-response.ts';
import type { EventHub, Sink } from '../stream/event-hub.ts';
import type { RunFilter } from '../stream/message-log.ts';

/** What may wait for one client; whoever falls further behind is let go and can resume. */
const BACKLOG_BYTES = 8 * 1024 * 1024;
const MAX_FILTERED_RUNS = 100;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

export function addEventRoutes(app: Hono<AppEnv>, hub: EventHub): void {
  app.get(EVENTS_PATH, (c) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
    return c.body(openStream(hub, lastEventId(c), runFilter(c)), 200, HEADERS);
  });
  app.all(EVENTS_PATH, (c) => methodNotAllowed(c, 'GET, HEAD'));
}

function lastEventId(c: AppContext): string | null {
  return c.req.header('last-event-id') ?? c.req.query('last_event_id') ?? null;
}

/** `runs=all`, or ids separated by commas. */
function runFilter(c: AppContext): RunFilter {
  const text = c.req.query('runs') ?? '';
  if (text === '') return 'none';
  return text === 'all' ? 'all' : new Set(text.split(',').slice(0, MAX_FILTERED_RUNS));
}

function openStream(hub: EventHub, lastId: string | null, filter: RunFilter): ReadableStream<Uint8Array> {
  let disconnect = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        disconnect = hub.connect(lastId, filter, sinkOf(controller));
      },
      cancel() {
        disconnect();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BACKLOG_BYTES }),
  );
}

function sinkOf(controller: ReadableStreamDefaultController<Uint8Array>): Sink {
  return {
    send(bytes) {
      // The first message may be larger than the backlog allows.
      const behind = (controller.desiredSize ?? 0) <= 0;
      if (!behind) controller.enqueue(bytes);
      return !behind;
    },
    end() {
      try {
        controller.close();
      } catch {
        // It was closed from the other side.
      }
    },
  };
}
