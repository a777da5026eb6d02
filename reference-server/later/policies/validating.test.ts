// Validating policies over HTTP: what they deny, warn of and note, with parameters, variables, conditions and budgets.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const group = '/apis/admissionregistration.k8s.io/v1';
const core = '/api/v1/namespaces/default';
const configs = `${core}/configmaps`;

let server: RunningServer;
let folder: string;
const made: string[] = [];
const { send, create, read } = sendingTo(() => server);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'policies-'));
  server = await startFullServer({ auditLogPath: join(folder, 'audit.log') });
});
afterEach(async () => {
  for (const path of made.splice(0).reverse()) await send('DELETE', path);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Creates an object that the end of the test deletes. */
async function make(collection: string, object: AnyShape): Promise<AnyShape> {
  const { status, body } = await create(collection, object);
  expect([status < 300, body.message]).toEqual([true, undefined]);
  made.push(`${collection}/${object.metadata.name}`);
  return body;
}

const rules = (plural: string, more: AnyShape = {}): AnyShape => ({
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [plural], ...more }],
});

/** Makes a policy `p` about config maps with a binding `b` that denies. */
async function policy(spec: AnyShape, binding: AnyShape = {}): Promise<void> {
  const matchConstraints = rules('configmaps', { operations: ['CREATE', 'UPDATE'] });
  await make(`${group}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec: { matchConstraints, ...spec } });
  const bound = { policyName: 'p', validationActions: ['Deny'], ...binding };
  await make(`${group}/validatingadmissionpolicybindings`, { metadata: { name: 'b' }, spec: bound });
}

const config = (name: string, more: AnyShape = {}) =>
  create(configs, { metadata: { name }, data: { a: 'b' }, ...more });
const rule = (expression: string, more: AnyShape = {}): AnyShape => ({ validations: [{ expression, ...more }] });
const denied = (why: string, name = 'c') =>
  `configmaps "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`;

/** A policy, and the message of the answer to the config map `c` with the data `a: b`; none if it is taken. */
const verdicts: Readonly<Record<string, readonly [spec: AnyShape, message?: string]>> = {
  'a rule that holds': [rule('object.data.a == "b"')],
  'a rule that is broken': [rule('object.data.a == "c"'), 'failed expression: object.data.a == "c"'],
  'a message': [rule('false', { message: ' no such thing ' }), 'no such thing'],
  'a message that an expression makes': [
    rule('false', { message: 'm', messageExpression: '"a is " + object.data.a' }),
    'a is b',
  ],
  'an expression that fails to make a message': [
    rule('false', { message: 'm', messageExpression: 'string(object.none)' }),
    'm',
  ],
  'an expression that makes an empty message': [
    rule('false', { messageExpression: '" "' }),
    'failed expression: false',
  ],
  'a rule that fails': [rule('object.none == 1'), "expression 'object.none == 1' resulted in error: no such key: none"],
  'a rule that fails and is ignored': [{ failurePolicy: 'Ignore', ...rule('object.none == 1') }],
  'variables, which are evaluated when they are used': [
    {
      variables: [
        { name: 'never', expression: 'object.none' },
        { name: 'a', expression: 'object.data.a' },
        { name: 'both', expression: 'variables.a + variables.a' },
      ],
      ...rule('variables.both != "bb"', { messageExpression: 'string(variables.both)' }),
    },
    'bb',
  ],
  'a variable that fails': [
    { variables: [{ name: 'v', expression: 'object.none' }], ...rule('variables.v == 1') },
    `expression 'variables.v == 1' resulted in error: composited variable "v" fails to evaluate: no such key: none`,
  ],
  'a condition that holds': [
    { matchConditions: [{ name: 'n', expression: 'object.data.a == "b"' }], ...rule('false') },
    'failed expression: false',
  ],
  'a condition that does not hold': [{ matchConditions: [{ name: 'n', expression: 'false' }], ...rule('false') }],
  'conditions that fail': [
    {
      matchConditions: ['object.none', 'object.void'].map((path) => ({ name: path, expression: `${path} == 1` })),
      ...rule('true'),
    },
    "[expression 'object.none == 1' resulted in error: no such key: none, expression 'object.void == 1' resulted in error: no such key: void]",
  ],
  'who asks for what': [
    rule(
      'request.operation == "CREATE" && request.userInfo.username == "admin" && request.kind.kind == "ConfigMap" && ' +
        'request.resource.resource == "configmaps" && request.namespace == "default" && request.name == "c" && ' +
        'oldObject == null && !request.dryRun && namespaceObject.metadata.name == "default"',
    ),
  ],
  'the authorizer': [
    rule(
      'authorizer.group("").resource("pods").namespace("default").check("get").allowed() && authorizer.requestResource.check("create").allowed()',
    ),
  ],
  'a rule that costs too much': [
    rule(
      '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(b, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(c, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(d, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(e, a + b + c + d + e >= 0)))))',
    ),
    expect.stringContaining('resulted in error: operation cancelled: actual cost limit exceeded') as unknown as string,
  ],
};

describe('a policy with', () => {
  it.each(Object.entries(verdicts))('%s', async (_, [spec, message]) => {
    await policy(spec);
    const { status, body } = await config('c');
    await send('DELETE', `${configs}/c`);
    if (message === undefined) expect([status, body.message]).toEqual([200, undefined]);
    else {
      const whole = typeof message === 'string' ? denied(message) : message;
      expect([status, body.reason, body.message]).toEqual([422, 'Invalid', whole]);
    }
  });

  it.each([
    ['Forbidden', 403],
    ['Invalid', 422],
    ['RequestEntityTooLarge', 413],
  ])('the reason %s', async (reason, code) => {
    await policy(rule('false', { reason }));
    const { status, body } = await config('c');
    const why = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: false";
    const details = { name: 'c', kind: 'configmaps', causes: [{ message: why }] };
    expect([status, body.code, body.reason, body.details]).toEqual([code, code, reason, details]);
  });
});

describe('a binding', () => {
  it('warns, and notes in the audit log', async () => {
    const annotations = { auditAnnotations: [{ key: 'data', valueExpression: '"has " + object.data.a' }] };
    await policy(
      { ...rule('false', { message: 'careful' }), ...annotations },
      { validationActions: ['Warn', 'Audit'] },
    );
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const { headers, status } = await ask(server, configs, {
      ...sent,
      body: '{"metadata":{"name":"noted"},"data":{"a":"b"}}',
    });
    expect([status, headers.warning]).toEqual([
      200,
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful"`,
    ]);
    const log = () => readFileSync(join(folder, 'audit.log'), 'utf8');
    await expect.poll(log).toContain('"p/data":"has b"');
    const failure = {
      message: 'careful',
      policy: 'p',
      binding: 'b',
      expressionIndex: 0,
      validationActions: ['Warn', 'Audit'],
    };
    expect(log()).toContain(JSON.stringify(JSON.stringify([failure])));
    await send('DELETE', `${configs}/noted`);
  });

  it('chooses by labels of objects and namespaces, by names, and leaves out', async () => {
    await policy(rule('false'), {
      matchResources: {
        objectSelector: { matchLabels: { checked: 'yes' } },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
        excludeResourceRules: rules('configmaps', { resourceNames: ['left-out'] }).resourceRules,
      },
    });
    const checked = { labels: { checked: 'yes' } };
    for (const [name, labels, status] of [
      ['free', {}, 200],
      ['bound', checked, 422],
      ['left-out', checked, 200],
    ] as const) {
      expect([name, (await create(configs, { metadata: { name, ...labels } })).status]).toEqual([name, status]);
      await send('DELETE', `${configs}/${name}`);
    }
  });

  it('is needed, and takes effect with the answer to its creation', async () => {
    const spec = { matchConstraints: rules('configmaps'), ...rule('false') };
    await make(`${group}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
    expect((await config('unbound')).status).toBe(200);
    const bound = { policyName: 'p', validationActions: ['Deny'] };
    await make(`${group}/validatingadmissionpolicybindings`, { metadata: { name: 'b' }, spec: bound });
    expect((await config('bound')).status).toBe(422);
    expect((await send('DELETE', `${configs}/unbound`)).status).toBe(422);
    await send('DELETE', made.pop() ?? '');
    await expect.poll(async () => (await send('DELETE', `${configs}/unbound`)).status).toBe(200);
  });
});

describe('a policy', () => {
  it('sees updates, deletes and subresources', async () => {
    const matchConstraints = rules('pods', { resources: ['pods', 'pods/binding', 'pods/eviction'] });
    const admits = 'request.operation == "CREATE" && !has(request.subResource)';
    await policy({
      matchConstraints,
      ...rule(admits, { messageExpression: 'request.operation + " " + request.kind.kind' }),
    });
    const spec = { containers: [{ name: 'c', image: 'registry.example.com/x:1' }] };
    await create(`${core}/pods`, { metadata: { name: 'p' }, spec });
    const target = { kind: 'Node', name: 'n' };
    const answers = [
      await create(`${core}/pods/p/binding`, { metadata: { name: 'p' }, target }),
      await create(`${core}/pods/p/eviction`, { metadata: { name: 'p' } }),
      await send('PATCH', `${core}/pods/p`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json'),
      await send('DELETE', `${core}/pods/p`),
    ];
    const why = (what: string) =>
      `pods "p" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${what}`;
    expect(answers.map(({ body }) => body.message)).toEqual(
      ['CREATE Binding', 'CREATE Eviction', 'UPDATE Pod', 'DELETE Pod'].map(why),
    );
    await send('DELETE', made.pop() ?? '');
    await expect.poll(async () => (await send('DELETE', `${core}/pods/p?gracePeriodSeconds=0`)).status).toBe(200);
  });

  it('sees an object in the version of its rules', async () => {
    const matchConstraints = rules('deployments', { apiGroups: ['apps'], apiVersions: ['v1'] });
    await policy({
      matchConstraints,
      ...rule('object.apiVersion != "apps/v1"', { messageExpression: 'request.requestKind.group' }),
    });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const { body } = await create('/apis/extensions/v1beta1/namespaces/default/deployments', deployment);
    expect(body.message).toContain('denied request: extensions');
  });

  it('does not decide about policies', async () => {
    await policy({ matchConstraints: rules('*'), ...rule('false') });
    expect((await send('DELETE', made.pop() ?? '')).status).toBe(200);
  });
});

describe('parameters', () => {
  const kind = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
  const limit = rule('size(object.data) <= int(params.data.most)', {
    messageExpression: '"at most " + params.data.most',
  });
  const secrets = { matchConstraints: rules('secrets', { operations: ['CREATE'] }), ...kind };
  const secret = (name: string) => create(`${core}/secrets`, { metadata: { name }, stringData: { a: 'b', c: 'd' } });
  const refusal = (why: string) =>
    `secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`;

  it.each<readonly [string, AnyShape, string | undefined]>([
    ['are found by name', { name: 'strict', parameterNotFoundAction: 'Deny' }, refusal('at most 1')],
    ['allow', { name: 'loose', parameterNotFoundAction: 'Deny' }, undefined],
    [
      'are found by labels',
      { selector: { matchLabels: { limits: 'yes' } }, parameterNotFoundAction: 'Deny' },
      refusal('at most 1'),
    ],
    ['are in a namespace', { name: 'strict', namespace: 'kube-system', parameterNotFoundAction: 'Allow' }, undefined],
    [
      'must be there',
      { name: 'none', parameterNotFoundAction: 'Deny' },
      refusal('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
    ['may be away', { name: 'none', parameterNotFoundAction: 'Allow' }, undefined],
  ])('%s', async (_, paramRef, message) => {
    for (const [name, most] of Object.entries({ strict: '1', loose: '2' })) {
      await make(configs, { metadata: { name, labels: { limits: 'yes' } }, data: { most } });
    }
    await policy({ ...secrets, ...limit }, { paramRef });
    const { status, body } = await secret('s');
    await send('DELETE', `${core}/secrets/s`);
    expect([status, body.message]).toEqual([message === undefined ? 200 : 422, message]);
  });

  it('of an unknown kind deny', async () => {
    await policy(
      { ...secrets, paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' }, ...rule('true') },
      { paramRef: { name: 'n', parameterNotFoundAction: 'Deny' } },
    );
    expect((await secret('s')).body.message).toBe(
      `secrets "s" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'rules.example.com/v1, Kind=Limit'`,
    );
  });
});

/** A change of the spec of a policy, and the causes of its refusal. */
const refusals: Readonly<Record<string, readonly [spec: AnyShape, ...causes: string[]]>> = {
  'a rule that does not compile': [
    rule('object.'),
    'spec.validations[0].expression: Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error',
  ],
  'a rule of another type': [
    rule('"a"'),
    'spec.validations[0].expression: Invalid value: "\\"a\\"": must evaluate to bool but got string',
  ],
  'an unknown variable': [
    rule('variables.a == 1'),
    'spec.validations[0].expression: Invalid value: "variables.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to \'variables\'',
  ],
  'parameters without a kind': [
    rule('params.a == 1'),
    'spec.validations[0].expression: Invalid value: "params.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to \'params\'',
  ],
  'a later variable': [
    {
      ...rule('true'),
      variables: ['b', 'c'].map((name) => ({ name, expression: name === 'b' ? 'variables.c' : '1' })),
    },
    'spec.variables[0].expression: Invalid value: "variables.c": compilation failed: ERROR: <input>:1:10: undefined field \'c\'',
  ],
  'a message with the authorizer': [
    rule('true', { messageExpression: 'authorizer.path("/").check("get").reason()' }),
    'spec.validations[0].messageExpression: Invalid value: "authorizer.path(\\"/\\").check(\\"get\\").reason()": compilation failed',
  ],
  'no rules': [
    { validations: [] },
    'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
    'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
  ],
  'an annotation of another type': [
    { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
    'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
  ],
  'nothing to match': [
    { ...rule('true'), matchConstraints: {} },
    'spec.matchConstraints.resourceRules: Required value',
  ],
  'another reason': [
    rule('true', { reason: 'Unauthorized' }),
    'spec.validations[0].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
  ],
  'a bad name of a variable': [
    { ...rule('true'), variables: [{ name: 'for', expression: '1' }] },
    'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
  ],
  'a bad kind of parameters': [
    { ...rule('true'), paramKind: { apiVersion: 'a/b/c', kind: '' } },
    'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    'spec.paramKind.kind: Required value',
  ],
};

it.each(Object.entries(refusals))('%s is refused', async (_, [change, ...causes]) => {
  const spec = { matchConstraints: rules('configmaps'), ...change };
  const { status, body } = await create(`${group}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  expect([status, body.details?.causes.length]).toEqual([422, causes.length]);
  for (const cause of causes) expect(body.message).toContain(cause);
});

it.each<readonly [AnyShape, string]>([
  [{ policyName: '' }, 'spec.policyName: Required value'],
  [{ validationActions: [] }, 'spec.validationActions: Required value: at least one validation action is required'],
  [{ validationActions: ['Deny', 'Warn'] }, 'must not contain both Deny and Warn'],
  [{ paramRef: {} }, 'spec.paramRef: Required value: one of name or selector must be specified'],
  [{ matchResources: { matchPolicy: 'Some' } }, 'spec.matchResources.matchPolicy: Unsupported value'],
])('a binding with %j is refused', async (change, message) => {
  const spec = { policyName: 'p', validationActions: ['Deny'], ...change };
  const { status, body } = await create(`${group}/validatingadmissionpolicybindings`, {
    metadata: { name: 'b' },
    spec,
  });
  expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
});

it('the status says what does not fit the types', async () => {
  const matchConstraints = rules('deployments', { apiGroups: ['apps'], apiVersions: ['v1'] });
  const validations = [
    { expression: 'object.spec.replicas <= 5' },
    { expression: 'object.spec.replicaz <= 5', messageExpression: '"x" + object.metadata.name' },
  ];
  await policy({ matchConstraints, validations });
  const path = `${group}/validatingadmissionpolicies/p`;
  await expect
    .poll(async () => (await read(path)).status)
    .toEqual({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[1].expression',
            warning: `apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicaz'\n | object.spec.replicaz <= 5\n | ...........^\n`,
          },
        ],
      },
    });
});
