/** Local time of day, `09:01:30`. */
export function formatClock(instant: number): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '--:--:--';
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
