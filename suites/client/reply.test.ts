// Tells refusals of the run's user from refusals of the request's content.
import { expect, it } from 'vitest';
import { Failure } from './failure.js';
import { fullRange, isDenied, podPolicies, Reply, refusingPolicy } from './reply.js';

const json = { 'content-type': 'application/json' };
const saying = (status: number, message: string): Reply =>
  new Reply(
    'POST /api/v1/namespaces/a/pods',
    status,
    json,
    Buffer.from(JSON.stringify({ kind: 'Status', message, code: status })),
  );

it.each([
  [401, 'Unauthorized', true],
  [403, 'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "a"', true],
  [403, 'pods is forbidden: User "system:serviceaccount:a:b" cannot list resource "pods" in API group ""', true],
  [403, 'User "jane" cannot list nodes at the cluster scope.: "No policy matched."', true],
  [403, 'forbidden: User "system:anonymous" cannot get path "/"', true],
  [403, 'the server does not allow access to the requested resource', true],
  [403, 'Forbidden', true],
  [403, '', true],
  [403, 'pods "a" is forbidden: error looking up service account a/default: serviceaccount "default" not found', false],
  [403, 'configmaps "a" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1', false],
  [403, 'pods "a" is forbidden: violates PodSecurity "restricted:latest"', false],
  [403, 'pods "a" is forbidden: unable to create new content in namespace b because it is being terminated', false],
  [403, 'clusterroles "a" is forbidden: attempt to grant extra privileges', false],
  [403, 'admission webhook "w" denied the request', false],
  [409, 'User "jane" cannot do that', false],
  [200, '', false],
])('%i %s: %s', (status, message, denied) => {
  expect(isDenied(saying(status, message))).toBe(denied);
});

it.each([
  ['text/html', '<html>Sign in</html>', /got 200 text\/html "<html>Sign in<\/html>" \(no decoder for text\/html\)$/],
  [undefined, '{}', /got 200 without Content-Type "\{\}" \(no decoder/],
  ['application/json', '{"a":', /got 200 application\/json .*JSON/],
])('a body of the type %s that cannot be decoded, %s, is the failure of the server', (type, body, message) => {
  const reply = new Reply('GET /api', 200, type === undefined ? {} : { 'content-type': type }, Buffer.from(body));
  expect(() => reply.value()).toThrow(Failure);
  expect(() => reply.value()).toThrow(/^GET \/api: expected a body that can be decoded, got/);
  expect(() => reply.value()).toThrow(message);
  expect(reply.tryValue()).toBeUndefined();
});

it('a refusal that is not an object counts as a refusal of the user', () => {
  expect(isDenied(new Reply('GET /', 403, {}, Buffer.from('<html>no</html>')))).toBe(true);
});

it.each([
  [400, 'admission webhook "tags.example.com" denied the request: no tag', 'tags.example.com'],
  [403, 'admission webhook "a.b" denied the request without explanation', 'a.b'],
  [422, "pods \"a\" is forbidden: ValidatingAdmissionPolicy 'tags' with binding 'all' denied request: no tag", 'tags'],
  [403, 'pods "a" is forbidden: violates PodSecurity "restricted:latest": …', 'PodSecurity of the namespace a'],
  [403, 'pods "a" is forbidden: PodSecurityPolicy: unable to admit pod: []', podPolicies],
  [403, 'pods "a" is forbidden: exceeded quota: q', undefined],
  [200, 'admission webhook "a" denied the request', undefined],
  [500, 'Internal error occurred: failed to allocate a serviceIP: range is full', undefined],
])('%i %s is a refusal of the policy %s', (status, message, policy) => {
  expect(refusingPolicy(saying(status, message))).toBe(policy);
});

it('a Service without a free address is refused by the range', () => {
  const body = Buffer.from('{"message":"Internal error occurred: failed to allocate a serviceIP: range is full"}');
  const type = { 'content-type': 'application/json' };
  expect(refusingPolicy(new Reply('POST /api/v1/namespaces/a/services', 500, type, body))).toBe(fullRange);
});
