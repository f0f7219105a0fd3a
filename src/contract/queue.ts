import * as z from 'zod';
import { countSchema } from './wire.ts';

/** Issues that do not run, for one reason. */
export const queueGroupSchema = z.object({
  reason: z.enum([
    'slot',
    'held_back',
    'not_active',
    'unknown_state',
    'no_state',
    'finished',
    'blocked',
    'needs_you',
    'retrying',
    'not_eligible',
  ]),
  /** For people, after the count: `Backlog (not active)`, `waits for TASK-2 (Todo)`. */
  label: z.string(),
  count: countSchema,
  /** Identifiers of a few of them. */
  examples: z.array(z.string()),
});

/** Why the worker does, or does not, have anything to do. */
export const queueSchema = z.object({
  /** Issues it knows of; those in other than active states only when it could look. */
  seen: countSchema,
  /** Whether `seen` counts every issue that is not finished. */
  complete: z.boolean(),
  running: countSchema,
  /** Nothing holds these back but a slot or the worker itself. */
  ready: countSchema,
  groups: z.array(queueGroupSchema),
  /** What lies where issues are expected and is none; bounded. */
  ignored: z.array(z.object({ name: z.string(), why: z.string() })),
  ignored_total: countSchema,
});
export type Queue = z.infer<typeof queueSchema>;
export type QueueGroup = z.infer<typeof queueGroupSchema>;

const MAX_NAMES = 3;
/** Reasons of issues that are counted as ready. */
const OF_READY: ReadonlySet<string> = new Set(['slot', 'held_back']);

/** `5 issues seen: 0 ready; 3 Backlog (not active), 1 waits for TASK-2 (Todo); ignored: "my feature.md"` */
export function describeQueue(queue: Queue): string {
  const { seen, complete, running, ready, groups } = queue;
  const held = groups.filter(({ reason }) => OF_READY.has(reason)).map(({ label }) => label);
  const others = groups.filter(({ reason }) => !OF_READY.has(reason));
  const counts = [
    ...(running > 0 ? [`${running} running`] : []),
    `${ready} ready${held.length === 0 ? '' : ` (${held.join('; ')})`}`,
  ];
  const issues = `${seen} issue${seen === 1 ? '' : 's'}`;
  const parts = [
    `${issues} ${complete ? 'seen' : 'listed in active states'}: ${counts.join(', ')}`,
    ...(others.length === 0 ? [] : [others.map(({ count, label }) => `${count} ${label}`).join(', ')]),
    ...(queue.ignored_total === 0 ? [] : [`ignored: ${ignoredNames(queue)}`]),
  ];
  return parts.join('; ');
}

function ignoredNames({ ignored, ignored_total: total }: Queue): string {
  const names = ignored.slice(0, MAX_NAMES).map(({ name }) => JSON.stringify(name));
  const more = total - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
