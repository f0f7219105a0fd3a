export interface ProgressIo {
  stderr(text: string): void;
  /** True when standard error is a terminal. */
  readonly interactive?: boolean;
}

/** What is over sooner needs no word. */
const PATIENCE_MS = 700;
const CLEAR_LINE = '\r\u001B[K';

/** Says on the terminal what is waited for while `work` takes long; nothing is left of it afterwards, or in a pipe. */
export async function withProgress<T>(
  io: ProgressIo,
  text: string,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  if (io.interactive !== true) return work();
  let shown = false;
  const timer = setTimeout(() => {
    shown = true;
    io.stderr(`${CLEAR_LINE}${text} …`);
  }, patienceMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (shown) io.stderr(CLEAR_LINE);
  }
}
