import { open } from 'node:fs/promises';
import { hasErrno, messageOf } from '../errors/app-error.ts';
import type { ConfigProblem } from './problem.ts';

const LARGEST_BYTES = 4 * 1024 * 1024;

export type WorkflowText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** The workflow file as text; a missing, huge or binary file is a problem, never an exception. */
export async function readWorkflowText(file: string): Promise<WorkflowText> {
  let bytes: Buffer;
  try {
    bytes = await readBounded(file);
  } catch (error) {
    const why = hasErrno(error, 'ENOENT') ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    return refuse(
      file,
      'missing_workflow_file',
      `the workflow file ${why}`,
      'Check the path and its permissions.',
    );
  }
  if (bytes.length > LARGEST_BYTES) {
    const limit = `${LARGEST_BYTES / 1024 / 1024} MiB`;
    return refuse(
      file,
      'workflow_parse_error',
      `the file is larger than ${limit}`,
      'Is this the right file?',
    );
  }
  if (bytes.includes(0)) {
    const hint = 'Save the workflow as UTF-8 text.';
    return refuse(file, 'workflow_parse_error', 'the file is binary or UTF-16, not UTF-8 text', hint);
  }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const hint = 'Save the workflow as UTF-8 text.';
    return refuse(file, 'workflow_parse_error', 'the file is not valid UTF-8', hint);
  }
}

/** Reads one byte more than is allowed, whatever the file claims to be. */
async function readBounded(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let total = 0; total <= LARGEST_BYTES; ) {
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

function refuse(file: string, code: ConfigProblem['code'], message: string, hint: string): WorkflowText {
  return { ok: false, problem: { code, file, line: null, key: null, message, hint } };
}
