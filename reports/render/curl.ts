// A curl line that sends a recorded request again. All content of the request is quoted for the shell.

import type { Exchange, Header, RecordedBody } from '../../suites/requirements/index.js';
import { shellWord } from '../page/words.js';

/** Headers that curl sets itself, from the url and the body. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'expect']);

/** Headers that curl adds by default. */
const defaultHeaders = ['Accept', 'Content-Type'];

/**
 * Returns the curl line of an exchange, for a shell in which `$TOKEN` is the credential and `$CA` the file of the
 * target's authority. `url` is the URL of the target, for requests that were recorded by path.
 */
export function curlLine({ request, tls }: Exchange, url: string): string {
  const address = request.url.startsWith('/') ? url.replace(/(?<!\/)\/+$/, '') + request.url : request.url;
  const body = request.body && bodyOptions(request.body);
  const words = [
    'curl -sSi --globoff --path-as-is',
    `-X ${shellWord(request.method)}`,
    ...(/^https:/i.test(address) ? ['--cacert "$CA"'] : []),
    ...(tls?.clientCertificate === undefined ? [] : ['--cert "$CERT" --key "$KEY"']),
    ...headerOptions(request.headers, body !== undefined),
    ...(body ? [body.option] : []),
    `--url ${shellWord(address)}`,
  ];
  return `${body?.before ?? ''}${words.join(' ')}`;
}

function headerOptions(headers: readonly Header[], hasBody: boolean): string[] {
  const sent = headers.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.has(name.toLowerCase()));
  const names = new Set(sent.map(([name]) => name.toLowerCase()));
  const silenced = defaultHeaders.filter(
    (name) => !names.has(name.toLowerCase()) && (name !== 'Content-Type' || hasBody),
  );
  return [...sent.map(headerOption), ...silenced.map((name) => `-H ${shellWord(`${name}:`)}`)];
}

function headerOption([name, value]: Header): string {
  if (name.toLowerCase() === 'authorization') {
    return /^basic\b/i.test(value) ? '-u "$USERNAME:$PASSWORD"' : '-H "Authorization: Bearer $TOKEN"';
  }
  // for curl, `Name:` removes the header and `Name;` sends it empty
  return `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value.replace(/\p{Cc}+/gu, ' ')}`)}`;
}

function bodyOptions({ text, base64, bytes }: RecordedBody): { before: string; option: string } {
  if (bytes === 0) return { before: '', option: "--data-binary ''" };
  // A shell word cannot contain NUL, and curl treats a leading @ as a file name.
  if (text !== undefined && !/^@|(?![\t\n])\p{Cc}|\p{Surrogate}/u.test(text)) {
    return { before: '', option: `--data-binary ${shellWord(text)}` };
  }
  const encoded = base64 ?? Buffer.from(text ?? '').toString('base64');
  return { before: `printf %s ${shellWord(encoded)} | base64 -d | `, option: '--data-binary @-' };
}
