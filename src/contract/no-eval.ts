import * as z from 'zod';

/**
 * For pages whose content policy forbids `eval`: import this before any schema, and zod compiles no code.
 * A side effect on purpose, so that it comes first.
 */
z.config({ jitless: true });
