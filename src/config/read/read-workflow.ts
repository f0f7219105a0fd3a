import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hasErrno, messageOf } from '../../errors/app-error.ts';
import type { ErrorCode } from '../../errors/codes.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** The content of a workflow file, or why it is not text. The fingerprint changes whenever the content does. */
export type WorkflowContent =
  | { readonly ok: true; readonly text: string; readonly fingerprint: string }
  | {
      readonly ok: false;
      readonly problem: { readonly code: ErrorCode; readonly message: string; readonly hint: string };
      readonly fingerprint: string;
    };

/** A missing, huge, binary or special file is a problem, never an exception or a wait. */
export async function readWorkflow(file: string): Promise<WorkflowContent> {
  let bytes: Buffer;
  try {
    bytes = await readBounded(file);
  } catch (error) {
    const why = hasErrno(error, 'ENOENT') ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    const message = `the workflow file ${why}`;
    const problem = {
      code: 'missing_workflow_file',
      message,
      hint: 'Check the path and its permissions.',
    } as const;
    return { ok: false, fingerprint: why, problem };
  }
  const fingerprint = createHash('sha256').update(bytes).digest('hex');
  const refuse = (message: string, hint: string): WorkflowContent => {
    return { ok: false, fingerprint, problem: { code: 'workflow_parse_error', message, hint } };
  };
  if (bytes.length > MAX_BYTES) {
    return refuse(`the file is larger than ${MAX_BYTES / 1024 / 1024} MiB`, 'Is this the right file?');
  }
  if (bytes.includes(0)) return refuse('the file is binary or UTF-16, not UTF-8 text', SAVE_AS_TEXT);
  try {
    return { ok: true, fingerprint, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return refuse('the file is not valid UTF-8', SAVE_AS_TEXT);
  }
}

const SAVE_AS_TEXT = 'Save the workflow as UTF-8 text.';

/** Reads a little more than is allowed, whatever size the file claims to have. */
async function readBounded(file: string): Promise<Buffer> {
  // Opening a pipe would otherwise wait for its other end.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file');
    const chunks: Buffer[] = [];
    for (let total = 0; total <= MAX_BYTES; ) {
      const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(64 * 1024) });
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}
