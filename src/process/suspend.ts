/**
 * Stops this program and those that a shell started with it, as Ctrl-Z does, until the shell lets them go on. `onStop` is
 * who hears of such a signal otherwise; it hears of the next one again. Nothing happens where no shell could wake them.
 */
export function stopUntilContinued(onStop: () => void): void {
  process.off('SIGTSTP', onStop);
  process.once('SIGCONT', () => {
    process.off('SIGTSTP', onStop);
    process.on('SIGTSTP', onStop);
  });
  process.kill(0, 'SIGTSTP');
}
