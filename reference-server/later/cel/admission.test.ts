// The expressions of admission: their variables, their types, and the questions to the authorizer.
import { expect, it } from 'vitest';
import { type Asked, admissionExpression, admissionVariables, evaluateCondition } from './admission.js';
import { Budget } from './expression.js';
import type { AccessQuestion } from './functions/authorizer.js';

const request = {
  kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  operation: 'UPDATE',
  namespace: 'default',
  name: 'web',
  userInfo: { username: 'anna', groups: ['dev'], extra: { team: ['a'] } },
  dryRun: false,
  options: { fieldManager: 'kubectl' },
};
const object = {
  metadata: { name: 'web' },
  spec: { replicas: 3, template: { spec: { containers: [{ name: 'm', image: 'a:1' }] } } },
};
const oldObject = { ...object, spec: { ...object.spec, replicas: 2 } };

it.each([
  ['object.spec.replicas > oldObject.spec.replicas', true],
  ['request.operation == "UPDATE" && "dev" in request.userInfo.groups && request.kind.kind == "Deployment"', true],
  ['request.userInfo.extra["team"].exists(t, t == "b")', false],
  ['object.spec.template.spec.containers.all(c, c.image.matches("^a:[0-9]+$"))', true],
  ['!has(object.metadata.labels) || object.metadata.labels["a"] == "b"', true],
  ['request.options.fieldManager == "kubectl" && !request.dryRun', true],
])('%s is %s', (expression, value) => {
  expect(evaluateCondition(expression, { request, object, oldObject })).toBe(value);
});

it('the object of a delete is null', () => {
  expect(evaluateCondition('object == null && oldObject != null', { request, oldObject })).toBe(true);
});

it('an unknown field of the request does not compile', () => {
  expect(() => admissionExpression('request.user == "a"')).toThrow("undefined field 'user'");
  expect(() => admissionExpression('params.max > 1')).toThrow("undeclared reference to 'params'");
});

it('there may be more variables', () => {
  const expression = admissionExpression('object.spec.replicas <= params.max', ['bool'], { params: true });
  const values = admissionVariables({ request, object, params: { max: 3 } });
  expect(expression.evaluate(values, new Budget())).toBe(true);
});

it('the authorizer answers questions', () => {
  const asked: AccessQuestion[] = [];
  const authorize: Asked['authorize'] = (question) => {
    asked.push(question);
    return { allowed: question.verb === 'get', reason: 'a rule' };
  };
  const ask = (expression: string) => evaluateCondition(expression, { request, object, authorize });
  expect(ask('authorizer.requestResource.check("get").allowed()')).toBe(true);
  expect(
    ask('authorizer.group("").resource("pods").subresource("log").namespace("a").name("b").check("list").allowed()'),
  ).toBe(false);
  expect(ask('authorizer.path("/healthz").check("get").reason() == "a rule"')).toBe(true);
  expect(ask('authorizer.serviceAccount("a", "b").group("apps").resource("x").check("get").errored()')).toBe(false);
  expect(asked).toEqual([
    { group: 'apps', resource: 'deployments', namespace: 'default', name: 'web', verb: 'get' },
    { group: '', resource: 'pods', subresource: 'log', namespace: 'a', name: 'b', verb: 'list' },
    { path: '/healthz', verb: 'get' },
    { serviceAccount: { namespace: 'a', name: 'b' }, group: 'apps', resource: 'x', verb: 'get' },
  ]);
  expect(() => evaluateCondition('authorizer.requestResource.check("get").allowed()', { request })).toThrow(
    'no authorizer',
  );
});

it('a condition that costs too much fails', () => {
  const many = { items: Array.from({ length: 1500 }, (_, index) => index) };
  const costly = 'object.items.all(x, object.items.all(y, x + y >= 0))';
  expect(() => evaluateCondition(costly, { request, object: many })).toThrow('cost limit exceeded');
});
