import { askProgram, type Place } from './ask-program.ts';

/** The token of GitHub's own command line, where that is installed and signed in. */
export async function readGhToken(place: Place): Promise<string | null> {
  const token = await askProgram('gh', ['auth', 'token'], place);
  return token === null || token === '' || /\s/.test(token) ? null : token;
}
