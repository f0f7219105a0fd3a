/** Where the page is served: it reads its own address. Written as routes. */
export const PAGE_PATHS = ['/', '/history', '/issues', '/runs/:run'] as const;

const PATTERNS = PAGE_PATHS.map((path) => new RegExp(`^${path.replace(/:\w+/, '[^/]+')}$`));

export function isPagePath(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}
