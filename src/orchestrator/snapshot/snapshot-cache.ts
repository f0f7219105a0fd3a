import type { StateSnapshot } from '../../contract/state.ts';
import type { SnapshotBuilder, SnapshotInput } from './state-snapshot.ts';

/** While agents stream, the state changes thousands of times a second; nobody needs to see each. */
const CHANGED_MS = 50;
/** Running times go on also when nothing else does. */
const UNCHANGED_MS = 250;

interface Kept {
  readonly input: SnapshotInput;
  readonly snapshot: StateSnapshot;
  body: Buffer<ArrayBuffer> | null;
}

/** Snapshots shared by their readers, so that many cost no more than one. `generated_at` says of when one is. */
export class SnapshotCache {
  readonly #builder: SnapshotBuilder;
  readonly #read: () => SnapshotInput;
  #kept: Kept | null = null;

  constructor(builder: SnapshotBuilder, read: () => SnapshotInput) {
    this.#builder = builder;
    this.#read = read;
  }

  /** Shows everything that has happened until now. */
  get(): StateSnapshot {
    return this.#fresh(0).snapshot;
  }

  /** A snapshot as JSON, ready to be sent; it may be a moment old. */
  body(): Buffer<ArrayBuffer> {
    const kept = this.#fresh(CHANGED_MS);
    kept.body ??= this.#serialise(kept);
    return kept.body;
  }

  /** Whoever reads next sees everything that has happened until now. */
  invalidate(): void {
    this.#kept = null;
  }

  #fresh(changedMs: number): Kept {
    const input = this.#read();
    if (this.#kept === null || !isFreshEnough(this.#kept.input, input, changedMs))
      this.#kept = { input, snapshot: this.#builder.build(input), body: null };
    return this.#kept;
  }

  /** The long list of sessions is kept as text and only put in place. */
  #serialise({ input, snapshot }: Kept): Buffer<ArrayBuffer> {
    const { completed_session_usage: usage, ...rest } = snapshot;
    const rows = this.#builder.runRows(input);
    const list = rows.usage === usage ? rows.usageJson : JSON.stringify(usage);
    return Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"completed_session_usage":${list}}`, 'utf8');
  }
}

function isFreshEnough(kept: SnapshotInput, now: SnapshotInput, changedMs: number): boolean {
  const age = now.now - kept.now;
  if (age < 0 || kept.workflow !== now.workflow || kept.reloadError !== now.reloadError) return false;
  const unchanged =
    kept.state === now.state &&
    kept.activity.revision === now.activity.revision &&
    kept.webhooks === now.webhooks &&
    kept.survey === now.survey;
  return age < (unchanged ? UNCHANGED_MS : changedMs);
}
