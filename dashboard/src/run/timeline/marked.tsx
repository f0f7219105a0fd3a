/** A text with the places where the words occur, marked. Never anything but text. */
export function Marked({ text, search }: { text: string; search: string }) {
  const words = search.trim().toLowerCase();
  if (words === '') return <bdi>{text}</bdi>;
  const parts: { readonly text: string; readonly found: boolean }[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(words); at >= 0 && parts.length < 400; at = lower.indexOf(words, from)) {
    parts.push({ text: text.slice(from, at), found: false });
    parts.push({ text: text.slice(at, at + words.length), found: true });
    from = at + words.length;
  }
  parts.push({ text: text.slice(from), found: false });
  return (
    <bdi>
      {parts.map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
        part.found ? <mark key={index}>{part.text}</mark> : part.text,
      )}
    </bdi>
  );
}
