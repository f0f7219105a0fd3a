import type { TimelineItem } from './derive-timeline.ts';
import { Marked } from './marked.tsx';

interface TimelineRowProps {
  readonly item: TimelineItem;
  readonly search: string;
  readonly open: boolean;
  onToggle(): void;
}

/** A text longer than this is shown by its beginning until somebody wants all of it. */
const MAX_CHARACTERS = 900;
const MAX_LINES = 14;

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function TimelineRow({ item, search, open, onToggle }: TimelineRowProps) {
  const { text, cut } = open ? { text: item.text, cut: false } : beginningOf(item.text);
  const input = item.input === item.text ? null : item.input;
  const parts = (input === null ? 0 : 1) + (item.output === null ? 0 : 1);
  return (
    <div className={`entry entry-${item.look} tone-${item.tone}`}>
      <time className="entry-time" dateTime={item.at} title={item.at}>
        {clock.format(new Date(item.at))}
      </time>
      <span className="entry-label">{item.label}</span>
      <div className="entry-main">
        <div className="entry-text">
          <Marked text={text} search={search} />
          {cut && ' …'}
        </div>
        {(item.facts.length > 0 || parts > 0 || cut || open) && (
          <p className="entry-facts">
            {item.facts.map((fact) => (
              <span key={fact} className={fact.startsWith('exit') || fact === 'failed' ? 'entry-exit' : ''}>
                {fact}
              </span>
            ))}
            {(parts > 0 || cut || open) && (
              <button type="button" className="link-button" aria-expanded={open} onClick={onToggle}>
                {open ? 'Show less' : parts > 0 ? describeParts(item) : 'Show all'}
              </button>
            )}
          </p>
        )}
        {open && <Part name={item.label === 'hook' ? 'Command' : 'Input'} text={input} search={search} />}
        {open && <Part name="Output" text={item.output} search={search} />}
      </div>
    </div>
  );
}

function Part({ name, text, search }: { name: string; text: string | null; search: string }) {
  if (text === null) return null;
  return (
    <figure className="entry-part">
      <figcaption>{name}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre tabIndex={0}>
        <Marked text={text} search={search} />
      </pre>
    </figure>
  );
}

function describeParts({ input, output, text }: TimelineItem): string {
  const lines = output === null ? 0 : output.split('\n').length;
  const said = lines === 0 ? '' : `${lines} ${lines === 1 ? 'line' : 'lines'} of output`;
  const given = input === null || input === text ? '' : 'input';
  return `Show ${[given, said].filter((part) => part !== '').join(' and ')}`;
}

function beginningOf(text: string): { text: string; cut: boolean } {
  const lines = text.split('\n', MAX_LINES + 1);
  const short = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_CHARACTERS);
  return { text: short, cut: short.length < text.length };
}
