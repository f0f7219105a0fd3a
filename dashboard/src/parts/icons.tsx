/** Decoration only: what an icon means is always written beside it. */

export function LogoMark() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="logo-tile" width="32" height="32" rx="8" />
      <g className="logo-lines">
        <path d="M10 23V9" />
        <path d="M10 17c0-4 12-1 12-7" />
      </g>
      <circle className="logo-node" cx="10" cy="8.6" r="2.6" />
      <circle className="logo-node" cx="10" cy="23.4" r="2.6" />
      <circle className="logo-tip" cx="22" cy="9" r="2.6" />
    </svg>
  );
}

export function BellIcon() {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 11.5h10c-1.2-1-1.6-2.2-1.6-4.4C11.4 4.6 10 3 8 3S4.6 4.6 4.6 7.1c0 2.2-.4 3.4-1.6 4.4zM6.8 13.6h2.4" />
    </svg>
  );
}

export function BranchIcon() {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M5 3.5v9M5 9c0-2.5 6-1 6-4.5" />
      <circle cx="5" cy="3" r="1.5" />
      <circle cx="5" cy="13" r="1.5" />
      <circle cx="11" cy="4" r="1.5" />
    </svg>
  );
}
