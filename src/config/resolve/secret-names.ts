/** Variables that hold tracker credentials by convention; never given to an agent. Compare without case. */
export const TRACKER_SECRET_NAMES: readonly string[] = [
  'GH_TOKEN',
  'GITEA_API_TOKEN',
  'GITEA_TOKEN',
  'GITHUB_PAT',
  'GITHUB_TOKEN',
  'LINEAR_API_KEY',
  'LINEAR_TOKEN',
];

export function isTrackerSecretName(name: string): boolean {
  return TRACKER_SECRET_NAMES.includes(name.toUpperCase());
}
