/**
 * Where the forge shows a branch, as far as the address of a pull request tells: each forge has its own way to write
 * both. Null when it does not.
 */
export function branchAddress(pullRequestUrl: string | null, branch: string | null): string | null {
  if (pullRequestUrl === null || branch === null) return null;
  const encoded = branch.split('/').map(encodeURIComponent).join('/');
  const ways: readonly (readonly [RegExp, string])[] = [
    [/\/-\/merge_requests\/\d+.*$/, `/-/tree/${encoded}`],
    [/\/pulls\/\d+.*$/, `/src/branch/${encoded}`],
    [/\/pull\/\d+.*$/, `/tree/${encoded}`],
  ];
  const way = ways.find(([pattern]) => pattern.test(pullRequestUrl));
  return way === undefined ? null : pullRequestUrl.replace(way[0], () => way[1]);
}
