// The worst that a target can answer: edits of good responses, and bytes that are no good response at all.
import { gzipSync } from 'node:zlib';
import type { WireReply } from '../faults/wire/fault.js';
import type { Misbehavior } from './badServers.js';

const depth = 200_000;
const yamlHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/yaml\r\n';
const deep = '['.repeat(depth) + ']'.repeat(depth);
const long = 'x'.repeat(1_500_000);
const wide = Array.from({ length: 50_000 }, (_, index) => `"k${index}":${index}`).join(',');

/** Returns the edit that puts members first into every object of the body, or only into its metadata. */
const first =
  (members: string, where = /^\{/) =>
  (reply: WireReply): WireReply => ({
    ...reply,
    body: reply.body.replace(where, (start) => `${start}${members},`),
  });
const text =
  (change: (body: string) => string) =>
  (reply: WireReply): WireReply => ({ ...reply, body: change(reply.body) });
const metadata = /"metadata":\{(?=")/;

/** Edits of good responses, which keep the names in them. */
export const worstEdits = {
  'an object nested 200,000 deep': first(`"deep":${deep}`),
  'metadata nested 200,000 deep': first(`"deep":${deep}`, metadata),
  'a message nested 200,000 deep': text(() => `{"kind":"Status","message":${deep},"reason":${deep}}`),
  'a string of megabytes': first(`"long":"${long}"`, metadata),
  'a message of megabytes': text(() => JSON.stringify({ kind: 'Status', message: `${long}\n"&<>]]>` })),
  'a version of megabytes': text((body) => body.replace(/"resourceVersion":"/g, (start) => start + long)),
  'very many keys': first(wide, metadata),
  '__proto__ and constructor': first(
    '"__proto__":{"polluted":1,"status":200},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":2',
  ),
  'names with NUL and half characters': text((body) =>
    body.replace(/"(name|namespace)":"/g, '"$1":"\\ud800\\u0000\\u001b[2J'),
  ),
  'names that leave their path': text((body) => body.replace(/"(name|namespace)":"(kac-\w+-)/g, '"$1":"$2/../../../')),
  'arrays for objects': text((body) => body.replace(metadata, '"metadata":[],"was":{')),
  'an array for the body': text((body) => `[${body}]`),
  'objects for texts': text((body) => body.replace(/"(name|namespace|uid|message)":"[^"]*"/g, '"$1":{"a":[{}]}')),
  'numbers that JSON.parse makes infinite': text((body) => body.replace(/:"[^"]*"/g, ':1e400')),
  'duplicate keys': text((body) => body.replace(metadata, '"metadata":7,"metadata":null,"metadata":{')),
  'a loop of redirects': (reply) => ({
    ...reply,
    status: 302,
    headers: { ...reply.headers, location: '/api/v1/namespaces' },
  }),
  'a status with the wrong body': (reply) => ({ ...reply, status: reply.status === 200 ? 500 : 200 }),
} as const satisfies Readonly<Record<string, (reply: WireReply) => WireReply>>;

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const object = '{"kind":"NamespaceList","items":[{"metadata":{"name":"kac-000001-a"}}]}';
const whole = (more: string, body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${head}${more}content-length: ${body.length}\r\n\r\n`), Buffer.from(body)]);

/** Whole responses in bytes: HTTP or its text is wrong. */
export const worstBytes = {
  'invalid UTF-8': (socket) =>
    socket.end(whole('', Buffer.concat([Buffer.from('{"kind":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]))),
  'a body of NULs': (socket) => socket.end(whole('', Buffer.alloc(100_000))),
  'nothing but brackets': (socket) => socket.end(whole('', '['.repeat(depth))),
  'a header of 100 KB': (socket) => socket.end(whole(`x-long: ${'y'.repeat(100_000)}\r\n`, object)),
  'a thousand headers': (socket) => socket.end(whole('x-more: y\r\n'.repeat(1_000), object)),
  'a length that is too small': (socket) => socket.end(`${head}content-length: 5\r\n\r\n${object}`),
  'a length that is too large': (socket) => socket.end(`${head}content-length: 5000\r\n\r\n${object}`),
  'a bomb of gzip': (socket) =>
    socket.end(whole('content-encoding: gzip\r\n', gzipSync(Buffer.alloc(64 * 1024 * 1024)))),
  'a list of thousands of objects of the run': (socket) =>
    socket.end(
      whole('', `{"kind":"NamespaceList","items":[${'{"metadata":{"name":"kac-000001-/../a"}},'.repeat(5_000)}1]}`),
    ),
  'YAML that is nested': (socket) => {
    const body = '{a: '.repeat(1_500);
    socket.end(`${yamlHead}content-length: ${body.length}\r\n\r\n${body}`);
  },
  'YAML whose keys are keys': (socket) => {
    const body = '? '.repeat(400);
    socket.end(`${yamlHead}content-length: ${body.length}\r\n\r\n${body}`);
  },
} as const satisfies Readonly<Record<string, Misbehavior>>;
