import type { RunDiff } from '../../../../src/contract/runs.ts';

export function CommitList({ commits }: { commits: RunDiff['commits'] }) {
  if (commits.length === 0) return null;
  return (
    <section aria-labelledby="commits-title">
      <h3 id="commits-title" className="section-heading">
        Commits <span className="section-count">{commits.length}</span>
      </h3>
      <ol className="commits">
        {commits.map(({ sha, subject, author, at }) => (
          <li key={sha}>
            <code>{sha.slice(0, 8)}</code> <bdi>{subject}</bdi>
            <p className="muted">
              <bdi>{author}</bdi>, <time dateTime={at}>{at.slice(0, 16).replace('T', ' ')}</time>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
