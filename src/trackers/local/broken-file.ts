/** What the log says about an issue file that cannot be read; the queue of the state names the file too. */
export const BROKEN_FILE = 'Issue file is not valid; it is left out until it is corrected';
