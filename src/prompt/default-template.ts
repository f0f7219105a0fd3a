/** Used when the workflow has no body. */
export const DEFAULT_TEMPLATE = `You are working on {{ issue.identifier }}, an issue from the configured tracker.

Title: {{ issue.title | untrusted }}
State: {{ issue.state }}
{% if issue.url %}Link: {{ issue.url }}
{% endif %}{% if issue.labels.size > 0 %}Labels: {{ issue.labels | join: ", " | untrusted }}
{% endif %}
{% if issue.description %}Description:

{{ issue.description | untrusted }}
{% else %}No description was provided.
{% endif %}
{% if attempt %}This is follow-up run {{ attempt }}. Look at what the workspace already holds and go on from there.

{% endif %}{% if workspace.branch %}Do the work in the current directory, on branch {{ workspace.branch }}, check it, and commit it. Push the branch with \`git push\` or the tool branch_push; no account is needed. If you have the tool pull_request_open, open a pull request with it: its text says what changed and how you checked it. Then hand the issue over with the tools you have.
{% else %}Do the work in the current directory, check it, and hand it over with the tools you have.
{% endif %}`;
