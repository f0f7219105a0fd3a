/** Shown at `/` when the dashboard was not built. No style: the content policy forbids inline ones. */
export const FALLBACK_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>aiops worker</title>
</head>
<body>
<h1>The worker is running; its dashboard has not been built</h1>
<p>Build it with <code>npm run build</code>, then reload this page. The worker need not be restarted.</p>
<p>Until then, the same facts are here as JSON: <a href="/api/v1/state">/api/v1/state</a></p>
</body>
</html>
`;
