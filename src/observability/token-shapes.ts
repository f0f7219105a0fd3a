export const REDACTED = '<redacted>';

interface Shape {
  readonly pattern: RegExp;
  /** What the match becomes; `$1` keeps the part that is no secret. */
  readonly replacement: string;
}

/**
 * Texts that are secrets by their form. Each pattern starts at a fixed word or at the start of a token and repeats a
 * class that its neighbours exclude, so that no text, however hostile, takes more than linear time.
 */
const SHAPES: readonly Shape[] = [
  {
    // A private key; without its end, everything after its start.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    replacement: REDACTED,
  },
  {
    pattern: /(\b(?:proxy-)?authorization\b["']?\s{0,8}[:=]\s{0,8}["']?)[^"'\r\n]+/gi,
    replacement: `$1${REDACTED}`,
  },
  {
    pattern:
      /(\b(?:set-cookie|cookie|x-api-key|private-token|x-gitea-otp)["']?\s{0,8}:\s{0,8}["']?)[^"'\r\n]+/gi,
    replacement: `$1${REDACTED}`,
  },
  { pattern: /(\bbearer\s{1,8})[\w.~+/=-]{16,}/gi, replacement: `$1${REDACTED}` },
  { pattern: /(:\/\/)[^\s/?#"'<>]*@/g, replacement: `$1${REDACTED}@` },
  {
    pattern:
      /([?&](?:access_|refresh_|id_)?(?:token|api_?key|key|secret|password|signature|sig)=)[^&#\s"'<>]+/gi,
    replacement: `$1${REDACTED}`,
  },
  {
    // NAME_TOKEN=value and "NAME_TOKEN":"value", as in a listing of the environment.
    pattern:
      /((?<![A-Z0-9_])[A-Z0-9_]{0,64}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(?:=["']?|["']\s{0,4}:\s{0,4}["']))[^\s"']+/g,
    replacement: `$1${REDACTED}`,
  },
  {
    // OpenAI, Anthropic, Stripe, GitHub, GitLab, Slack, Linear, npm, Hugging Face, DigitalOcean.
    pattern:
      /(?<![A-Za-z0-9])(?:sk|rk|pk_live|gh[opsur]|github_pat|glpat|xox[abeoprs]|lin_(?:api|oauth|wh)|npm|hf|dop_v1)[-_][\w-]{16,}/g,
    replacement: REDACTED,
  },
  {
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)[A-Z0-9]{16}/g,
    replacement: REDACTED,
  },
  { pattern: /(?<![A-Za-z0-9])AIza[\w-]{30,}/g, replacement: REDACTED },
  { pattern: /(?<![A-Za-z0-9])ya29\.[\w-]{16,}/g, replacement: REDACTED },
];

/** Dot-separated runs: a JSON web token is found inside one by its parts. */
const DOTTED_RUN = /(?<![\w-])[\w-]+(?:\.[\w-]+)+/g;
const TOKEN_HEADER = 'eyJ';
const MIN_PART_LENGTH = 8;

/** Replaces everything that looks like a credential. */
export function redactShapes(text: string): string {
  let result = text;
  for (const { pattern, replacement } of SHAPES) result = result.replace(pattern, replacement);
  return result.includes(TOKEN_HEADER) ? result.replace(DOTTED_RUN, redactWebToken) : result;
}

function redactWebToken(run: string): string {
  const parts = run.split('.');
  for (let index = 0; index + 2 < parts.length; index += 1) {
    const [header = '', payload = '', signature = ''] = parts.slice(index, index + 3);
    const start = header.indexOf(TOKEN_HEADER);
    if (start === -1 || header.length - start < MIN_PART_LENGTH) continue;
    if (payload.length < MIN_PART_LENGTH || signature.length < MIN_PART_LENGTH) continue;
    const before = [...parts.slice(0, index), header.slice(0, start)].join('.');
    return [before + REDACTED, ...parts.slice(index + 3)].join('.');
  }
  return run;
}
