/** One holder at a time per name within this process; waiters are served in order. */
export interface KeyedMutex {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(name, work) {
      const before = tails.get(name) ?? Promise.resolve();
      const mine = before.then(work, work);
      const tail = mine.catch(() => {});
      tails.set(name, tail);
      try {
        return await mine;
      } finally {
        if (tails.get(name) === tail) tails.delete(name);
      }
    },
  };
}
