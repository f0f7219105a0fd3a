import type { TimelineEntry } from '../../../src/contract/runs.ts';

/** What the agent was told, turn by turn, as it was rendered. */
export function PromptView({ entries, complete }: { entries: readonly TimelineEntry[]; complete: boolean }) {
  const prompts = entries.filter(({ kind }) => kind === 'prompt');
  if (prompts.length === 0) {
    const why = 'No prompt is kept of this run: it had no turn yet, or its worker was older.';
    return <p className="empty">{complete ? why : 'Reading the timeline…'}</p>;
  }
  return (
    <ol className="prompts">
      {prompts.map(({ seq, message, detail }) => (
        <li key={seq}>
          <h3>Turn {String(detail['turn'] ?? '')}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
          <pre tabIndex={0} className="prompt-text">
            <bdi>{message}</bdi>
          </pre>
        </li>
      ))}
    </ol>
  );
}
