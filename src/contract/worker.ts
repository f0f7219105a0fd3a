import * as z from 'zod';
import { timestampSchema } from './wire.ts';

/** `GET /api/v1/worker`: who answers here, and what the one who asks may do. */
export const workerIdentitySchema = z.object({
  /** New at each start; the record of the worker holds the same. */
  instance: z.string(),
  version: z.string(),
  pid: z.int().positive(),
  started_at: timestampSchema,
  /** Absolute, its folder without symbolic links. */
  workflow_path: z.string(),
  /** Whether this request came with a token that may act. */
  may_act: z.boolean(),
});
export type WorkerIdentity = z.infer<typeof workerIdentitySchema>;

/** `POST /api/v1/link`: a code for one browser, made for whoever may act. */
export const linkSchema = z.object({ code: z.string(), expires_at: timestampSchema });
export type Link = z.infer<typeof linkSchema>;

/** `POST /api/v1/session`: the code, once, for the token that it stands for. */
export const sessionBodySchema = z.object({ code: z.string().min(1).max(200) });
export const sessionSchema = z.object({ token: z.string() });
export type Session = z.infer<typeof sessionSchema>;
