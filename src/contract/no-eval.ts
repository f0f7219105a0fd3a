import * as z from 'zod';

/**
 * Import this before any schema, and zod compiles no code: for pages whose content policy forbids `eval`, and for programs
 * that check a document or two and end. A side effect on purpose, so that it comes first.
 */
z.config({ jitless: true });
