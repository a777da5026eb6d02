// The frame of every HTML file, which loads nothing and runs only its own script.
import { html, type Markup, trustedMarkup } from './markup.js';
import { hashOf, type ScriptEntry, scriptOf } from './script.js';
import { pageStyle } from './style.js';

export interface DocumentParts {
  readonly title: string;
  /** The text for link previews, below the title. */
  readonly description?: string;
  readonly body: Markup;
  readonly script?: ScriptEntry;
  /** The style of this type of file, in addition to the style of all pages. */
  readonly style?: string;
}

function preview(title: string, description: string): Markup {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta name="twitter:card" content="summary">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">`;
}

/** Returns a whole file. Its Content-Security-Policy allows exactly its style sheet and its script. */
export function htmlDocument({ title, description, body, script, style: own = '' }: DocumentParts): string {
  const styles = pageStyle + own;
  const code = script === undefined ? undefined : scriptOf(script);
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    ...(code === undefined ? [] : [`script-src ${hashOf(code)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const end = code === undefined ? undefined : html`<script>${trustedMarkup(code)}</script>\n`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${description === undefined ? undefined : preview(title, description)}
<style>${trustedMarkup(styles)}</style>
</head>
<body>
${body}
${end}</body>
</html>
`.toString();
}
