// The page at `/` for people who open the address of the server in a browser.
import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import Negotiator from 'negotiator';
import type { Addon } from '../addons.js';
import type { Discovery } from '../discovery/discovery.js';
import type { Answer, ApiRequest, Handler } from '../request.js';
import { storedCounts } from './storedCounts.js';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:44rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.5rem}
h2{font-size:1.15rem}
pre{padding:.75rem;overflow-x:auto;border:1px solid #8886;border-radius:.4rem;font-size:.85rem}
.whole{white-space:nowrap}
li{margin:.2rem 0}`;

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept',
  'X-Content-Type-Options': 'nosniff',
};

const manual = 'https://github.com/kube-api-conformance/kube-api-conformance/blob/main/docs/reference-server.md';

/** The paths that the page links to, if the server has them. */
const linked: Readonly<Record<string, string>> = {
  '/version': 'the version',
  '/apis': 'the groups of the API',
  '/api/v1': 'the resources of the core group',
  '/openapi/v3': 'the OpenAPI documents',
  '/metrics': 'the metrics',
  '/healthz': 'the health',
};

export const welcomePage: Addon = {
  serve({ cluster, surface, handlers, options }) {
    if (cluster === undefined) return {};
    // Where rights decide, not everybody may know what is stored.
    const stored = async () =>
      options.authorizationMode === 'AlwaysAllow' ? await storedCounts(surface.resources, cluster.storage) : [];
    handlers.discover = welcome(surface, handlers.discover, stored);
    return { stranger: welcomeStranger };
  },
};

/**
 * Returns a handler that shows the page to clients that prefer HTML, which browsers do and clients of the API do not.
 * Other requests are left to the other handler.
 */
function welcome(
  served: { readonly discovery: Pick<Discovery, 'kubeVersion' | 'paths'> },
  other: Handler,
  stored: () => ReturnType<typeof storedCounts>,
): Handler {
  return async (request) => {
    if (request.operation.path !== '/' || !prefersHtml(request)) return other(request);
    const { kubeVersion, paths } = served.discovery;
    const links = Object.entries(linked)
      .filter(([path]) => paths.includes(path))
      .map(([path, what]) => `<li><a href="${escaped(request.basePath + path)}">${path}</a>: ${what}</li>`);
    const about = `It speaks the API of Kubernetes ${escaped(kubeVersion)}, and is not a cluster.`;
    return page(
      200,
      request,
      about,
      `<h2>Pages</h2>\n<ul>\n${links.join('\n')}\n</ul>${kindList(request, await stored())}`,
    );
  };
}

/** Returns the kinds with objects, the most first, each with a link to its list; and the number of the others. */
function kindList({ basePath }: Visit, counts: Awaited<ReturnType<typeof storedCounts>>): string {
  if (counts.length === 0) return '';
  const filled = counts.filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
  const items = filled.map(([resource, count]) => {
    const { plural, groupVersion } = resource;
    const path = `${basePath}${groupVersion.prefix}/${plural}`;
    return `<li><a href="${escaped(path)}">${escaped(plural)}</a>: ${count}</li>`;
  });
  const empty = counts.length - filled.length;
  return `\n<h2>Objects</h2>\n<ul>\n${items.join('\n')}\n</ul>\n<p>${empty} other kinds have none.</p>`;
}

/**
 * Returns the page for a browser, which sends no credentials: the page says how other clients send them. Undefined for
 * other paths, and for clients that prefer JSON.
 */
function welcomeStranger(request: Visit, pathname: string): RawAnswer | undefined {
  if (pathname !== '/' || request.raw.method !== 'GET' || !prefersHtml(request)) return undefined;
  return page(401, request, 'It refuses requests without credentials, and your browser sent none.', '');
}

/** The parts of a request that the page is made from. */
type Visit = Pick<ApiRequest, 'headers' | 'raw' | 'basePath'>;
type RawAnswer = Extract<Answer, { raw: unknown }>;

function prefersHtml({ headers: { accept } }: Pick<Visit, 'headers'>): boolean {
  if (accept?.includes('text/html') !== true) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

function addressOf({ raw, basePath }: Visit): string {
  const scheme = (raw.socket as TLSSocket).encrypted ? 'https' : 'http';
  return escaped(`${scheme}://${raw.headers.host ?? 'localhost'}${basePath}`);
}

function page(status: number, request: Visit, about: string, more: string): RawAnswer {
  return {
    status,
    mediaType: 'text/html; charset=utf-8',
    headers,
    raw: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>kube-api-conformance</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>The reference server of kube-api-conformance</h1>
<p>This is an API server for tests. ${about}</p>
<h2>With kubectl</h2>
<pre tabindex="0"><code>kubectl --kubeconfig FILE get namespaces</code></pre>
<p>FILE is the kubeconfig that <code>serve</code> names when it starts, or the one that <code class="whole">serve --write-kubeconfig FILE</code> writes. It holds the address <code>${addressOf(request)}</code>, the certificate authority and a token. For clients without a kubeconfig, and for every option, see <a href="${manual}">the documentation</a>.</p>
${more}
</main>
</body>
</html>
`,
  };
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
