/** `Receiving objects:  40% (400/1000), 3 MiB | 1 MiB/s` */
const PERCENT_LINE = /^(?:remote: )?([A-Z][A-Za-z ]+):\s+(\d+)%/;
const STEP = 5;

/**
 * Turns git's progress output into short texts for people (`cloning: receiving objects 40%`), one per 5 % at most.
 */
export function progressReporter(prefix: string, report: (detail: string) => void): (line: string) => void {
  let last = '';
  return (line) => {
    const match = PERCENT_LINE.exec(line);
    if (match === null) return;
    const percent = Number(match[2]);
    const rounded = percent === 100 ? 100 : percent - (percent % STEP);
    const detail = `${prefix}: ${(match[1] ?? '').toLowerCase()} ${rounded}%`;
    if (detail === last) return;
    last = detail;
    report(detail);
  };
}
