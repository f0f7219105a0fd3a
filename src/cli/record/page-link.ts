/**
 * The page's address. What gives the right to act goes into the fragment, which browsers send nowhere; the page takes it
 * out of the address.
 */
export function pageLink(
  url: string,
  { token = null, code = null }: { readonly token?: string | null; readonly code?: string | null } = {},
): string {
  if (token !== null) return `${url}/#token=${encodeURIComponent(token)}`;
  return code === null ? `${url}/` : `${url}/#code=${encodeURIComponent(code)}`;
}
