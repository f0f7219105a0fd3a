/** The shape of the page while the first answer is on its way. */
export function Skeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      <div className="skeleton-tiles">
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <span key={key} className="skeleton-block" />
        ))}
      </div>
      <span className="skeleton-block skeleton-tall" />
    </div>
  );
}
