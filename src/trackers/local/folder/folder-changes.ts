/** What changed in a folder since it was last read, as far as somebody watches it. */
export class FolderChanges {
  #watched = false;
  /** Null when anything may have changed. */
  #names: Set<string> | null = null;

  /** From now on every change is told. */
  watched(): void {
    this.#watched = true;
    this.#names = null;
  }

  unwatched(): void {
    this.#watched = false;
    this.#names = null;
  }

  /** Null stands for a change somewhere. */
  note(name: string | null): void {
    if (name === null) this.#names = null;
    else this.#names?.add(name);
  }

  doubtAll(): void {
    this.#names = null;
  }

  /** The names that changed since the last call; null when everything has to be looked at. */
  take(): ReadonlySet<string> | null {
    const names = this.#names;
    this.#names = this.#watched ? new Set() : null;
    return names;
  }
}
