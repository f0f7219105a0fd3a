/** A text of the worker; what stands in backticks is a command or a name, and is shown as one. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  // An opening one that is never closed is no code.
  const isCode = (index: number): boolean => index % 2 === 1 && index < parts.length - 1;
  return (
    <bdi>
      {parts.map((part, index) => {
        const lost = index % 2 === 1 && !isCode(index) ? '`' : '';
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
        return isCode(index) ? <code key={index}>{part}</code> : `${lost}${part}`;
      })}
    </bdi>
  );
}
