import { get } from 'node:http';

/** The clients that follow the stream, in a process of their own: the first message names the worker. */

interface Follower {
  events: number;
  gaps: number;
  ended: boolean;
  bytes: number;
}

/** Some clients count events per run by their numbers, all count bytes: the clients must not be the bottleneck. */
function follow(url: string, counting: boolean): Follower {
  const follower: Follower = { events: 0, gaps: 0, ended: false, bytes: 0 };
  const last = new Map<string, number>();
  let rest = '';
  const request = get(`${url}/api/v1/events?runs=all`, { agent: false }, (response) => {
    response.setEncoding('latin1');
    response.on('data', (chunk: string) => {
      follower.bytes += chunk.length;
      if (!counting) return;
      const text = rest + chunk;
      const end = text.lastIndexOf('\n\n');
      rest = end < 0 ? text : text.slice(end);
      if (end < 0) return;
      const pattern =
        /data: \{"type":"run","run_id":"([^"]+)","issue_identifier":"[^"]*","entry":\{"seq":(\d+),/g;
      pattern.lastIndex = 0;
      const complete = text.slice(0, end);
      for (let match = pattern.exec(complete); match !== null; match = pattern.exec(complete)) {
        const run = match[1] ?? '';
        const seq = Number(match[2]);
        const before = last.get(run);
        if (before !== undefined && seq !== before + 1) follower.gaps += 1;
        last.set(run, seq);
        follower.events += 1;
      }
    });
    response.on('close', () => (follower.ended = true));
  });
  request.on('error', () => (follower.ended = true));
  return follower;
}

let followers: Follower[] = [];

process.on(
  'message',
  (order: { readonly type: string; readonly url?: string; readonly clients?: number }) => {
    if (order.type === 'follow' && order.url !== undefined) {
      const { url } = order;
      followers = Array.from({ length: order.clients ?? 0 }, (_, n) => follow(url, n % 20 === 0));
    }
    if (order.type === 'report') {
      const counting = followers.filter((_, n) => n % 20 === 0);
      process.send?.({
        type: 'report',
        events: counting.map((follower) => follower.events),
        gaps: counting.reduce((sum, follower) => sum + follower.gaps, 0),
        ended: followers.filter((follower) => follower.ended).length,
        sizes: followers.map((follower) => follower.bytes),
      });
    }
    if (order.type === 'end') process.exit(0);
  },
);
process.send?.({ type: 'ready' });
