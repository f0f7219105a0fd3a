const MAX_SUBJECTS = 10_000;

/**
 * True when the text differs from the last one about this subject, so that a log says a thing once and not at every poll.
 * Null forgets the subject: the same text is new again afterwards.
 */
export function createRepeatFilter(): (subject: string, text: string | null) => boolean {
  const last = new Map<string, string>();
  return (subject, text) => {
    if (text === null) last.delete(subject);
    if (text === null || last.get(subject) === text) return false;
    if (last.size >= MAX_SUBJECTS) last.clear();
    last.set(subject, text);
    return true;
  };
}
