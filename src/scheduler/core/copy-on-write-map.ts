/** A map that leaves its original untouched: the first write copies it. */
export class CopyOnWriteMap<K, V> {
  #map: ReadonlyMap<K, V>;
  #copy: Map<K, V> | null = null;

  constructor(original: ReadonlyMap<K, V>) {
    this.#map = original;
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  entries(): IterableIterator<[K, V]> {
    return this.#map.entries();
  }

  set(key: K, value: V): void {
    this.#writable().set(key, value);
  }

  delete(key: K): void {
    if (this.#map.has(key)) this.#writable().delete(key);
  }

  finish(): ReadonlyMap<K, V> {
    return this.#map;
  }

  #writable(): Map<K, V> {
    if (this.#copy === null) {
      this.#copy = new Map(this.#map);
      this.#map = this.#copy;
    }
    return this.#copy;
  }
}
