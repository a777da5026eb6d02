// Random small bodies and patches, sent to the server of this package and to a real one, which answer alike: numbers, nulls,
// unknown fields, items that share their merge key. `AGAINST` names the real server (testing/customResources.ts).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonText } from '../exactJson.js';
import type { RunningServer } from '../server.js';
import { startFullServer } from './index.js';
import { DefinitionClient, definitions, serverWithDefinitions } from './testing/customResources.js';
import { type ExactReply, exactDefinition, sendExactly, types } from './testing/exactRequests.js';

const runs = { numRuns: Number(process.env.RUNS ?? 60) };
const plural = `pairs${Date.now() % 1_000_000}`;
const kind = `Pair${Date.now() % 1_000_000}`;
const core = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** The text of a number, of another scalar, or of null. */
const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('9007199254740993', '-9007199254740993', '9223372036854775807', '7', '12') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('1.0', '1e3', '1.5', '0.3', '1e18', '9223372036854775808', '9007199254740992.0'),
  },
  { weight: 3, arbitrary: fc.constantFrom('"x"', '"y"', '"9007199254740993"', 'true', 'null') },
);
/** The text of an object of random fields, each of which occurs once. */
const object = (...fields: readonly (readonly [string, fc.Arbitrary<string>])[]): fc.Arbitrary<string> =>
  fc
    .subarray([...fields])
    .chain((some) => fc.tuple(...some.map(([name, value]) => value.map((text) => `"${name}":${text}`))))
    .map((members) => `{${members.join(',')}}`);
const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
/** Mostly values of the kind that the schema wants. */
const mostly = (value: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: scalar });
const integer = mostly(fc.constantFrom('9007199254740993', '-9223372036854775808', '7', '12', '1.0', '1e3', 'null'));
const text = mostly(fc.constantFrom('"x"', '"y"', '"9007199254740993"', 'null'));

const spec = object(
  ['size', integer],
  ['small', mostly(fc.constantFrom('7', '-3', '1e3'))],
  ['big', integer],
  ['dozen', mostly(fc.constantFrom('12', '24.0', '9007199254740996'))],
  ['num', mostly(fc.constantFrom('1.5', '0.3', '1e21', '9007199254740993', '9223372036854775808'))],
  ['either', mostly(fc.constantFrom('7', '"x"', '9007199254740993'))],
  ['some', mostly(fc.constantFrom('1', '9007199254740993'))],
  ['hosts', mostly(list(mostly(fc.constantFrom('"x"', '"y"'))))],
  ['set', mostly(list(mostly(fc.constantFrom('1', '2', '9007199254740993'))))],
  ['labels', mostly(object(['a', text], ['b', text]))],
  ['refs', mostly(list(mostly(object(['name', text], ['n', integer]))))],
  ['items', mostly(list(mostly(object(['id', mostly(fc.constantFrom('1', '9007199254740993'))], ['v', text]))))],
  ['box', mostly(object(['w', integer], ['in', object(['d', text])]))],
  ['free', mostly(object(['a', scalar], ['b', list(scalar)]))],
  ['usual', integer],
);
/** A spec with a mistake now and then. */
const anySpec = fc.tuple(spec, fc.boolean(), scalar).map(([fields, isWrong, value]) => {
  const more = `${fields === '{}' ? '' : ','}"zz":${value}}`;
  return isWrong ? fields.slice(0, -1) + more : fields;
});

describe.skipIf(process.env.AGAINST === undefined)('a real server and this one', () => {
  const servers: RunningServer[] = [];
  let hasKinds = false;
  let last = 0;

  beforeAll(async () => {
    servers.push(await serverWithDefinitions(), await startFullServer());
    const made = exactDefinition(plural, kind);
    for (const server of servers) {
      await sendExactly(server, 'POST', definitions, made);
      await new DefinitionClient(server).until(made, 'Established');
    }
    hasKinds = (await sendExactly(servers[0] as RunningServer, 'GET', '/api/v1')).status === 200;
  });
  afterAll(async () => {
    if (servers[0]) await sendExactly(servers[0], 'DELETE', `${definitions}/${plural}.example.com`);
    for (const server of servers) await server.close();
  });

  /** Sends the same to both servers, and requires the same answers, as `shown` shows them. */
  async function same(shown: (reply: ExactReply) => unknown, ...request: [string, string, unknown?, object?]) {
    const [method, path, body, headers] = request;
    const replies: unknown[] = [];
    for (const server of servers) {
      const reply = await sendExactly(server, method, path, body, (headers ?? {}) as Record<string, string>);
      replies.push(reply.status < 300 ? [200, shown(reply)] : [reply.status]);
    }
    expect(replies[1], `${method} ${path} ${typeof body === 'string' ? body : jsonText(body)}`).toEqual(replies[0]);
  }
  function newName(): string {
    last += 1;
    return `d${Date.now() % 1_000_000}-${last}`;
  }

  it.each(['Ignore', 'Strict'])('create and patch custom resources alike (%s)', async (check) => {
    const things = `/apis/example.com/v1/namespaces/default/${plural}`;
    const specOf = ({ body }: ExactReply): unknown => body.spec;
    const whole = (name: string, text: string) =>
      `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"${name}"},"spec":${text}}`;
    const query = hasKinds ? '' : `?fieldValidation=${check}`;
    await fc.assert(
      fc.asyncProperty(anySpec, anySpec, async (before, patch) => {
        const name = newName();
        await same(specOf, 'POST', things + query, whole(name, before));
        await same(specOf, 'PATCH', `${things}/${name}${query}`, `{"spec":${patch}}`, types.merge);
        const operations = `[{"op":"add","path":"/spec","value":${patch}}]`;
        await same(specOf, 'PATCH', `${things}/${name}${query}`, operations, types.json);
        const other = newName();
        await same(specOf, 'PATCH', `${things}/${other}?fieldManager=m`, whole(other, patch), types.apply);
      }),
      runs,
    );
  });

  const item = fc.record({ name: fc.constantFrom('A', 'B', 'C', 'D'), value: fc.constantFrom('1', '2', '3') });
  const order = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 5 });

  it('merge lists alike', async (context) => {
    if (!hasKinds) return context.skip('the server has no native kinds');
    const envOf = ({ body }: ExactReply): unknown => body.spec.template.spec.containers[0].env ?? [];
    const template = (container: object) => ({
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', ...container }] } },
    });
    await fc.assert(
      fc.asyncProperty(
        // What real servers do with an absent list or map depends on their age.
        fc.array(item, { minLength: 1, maxLength: 5 }),
        fc.option(fc.array(item, { minLength: 1, maxLength: 3 }), { nil: undefined }),
        fc.option(order, { nil: undefined }),
        fc.array(fc.constantFrom('A', 'B', 'E'), { maxLength: 1 }),
        async (env, patch, elements, deleted) => {
          const name = newName();
          const made = { metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, ...template({ env }) } };
          await same(envOf, 'POST', deployments, made);
          const container = {
            name: 'c',
            ...(patch && { env: [...patch, ...deleted.map((gone) => ({ name: gone, $patch: 'delete' }))] }),
            ...(elements && { '$setElementOrder/env': elements.map((each) => ({ name: each })) }),
          };
          const body = { spec: { template: { spec: { containers: [container] } } } };
          const codes = ({ status }: ExactReply) => (status === 500 ? 400 : status);
          const replies: unknown[] = [];
          for (const server of servers) {
            const reply = await sendExactly(server, 'PATCH', `${deployments}/${name}`, body, types.strategic);
            replies.push(reply.status === 200 ? envOf(reply) : codes(reply));
          }
          expect(replies[1], jsonText([env, container])).toEqual(replies[0]);
        },
      ),
      runs,
    );
  });

  it('take nulls in maps alike', async (context) => {
    if (!hasKinds) return context.skip('the server has no native kinds');
    const value = fc.constantFrom('null', '"x"', '"y"');
    const data = object(['a', value], ['b', value], ['c', value]);
    const dataOf = ({ body }: ExactReply): unknown => [body.data ?? {}, body.metadata.labels ?? {}];
    await fc.assert(
      fc.asyncProperty(data, data, data, async (before, labels, patch) => {
        const name = newName();
        const body = `{"metadata":{"name":"${name}","labels":${labels}},"data":{"z":"1",${before.slice(1)}}`.replace(
          ',}',
          '}',
        );
        await same(dataOf, 'POST', `${core}/configmaps`, body);
        for (const type of [types.merge, types.strategic]) {
          await same(dataOf, 'PATCH', `${core}/configmaps/${name}`, `{"data":${patch}}`, type);
        }
        const operations = `[{"op":"add","path":"/data","value":${patch}}]`;
        await same(dataOf, 'PATCH', `${core}/configmaps/${name}`, operations, types.json);
      }),
      runs,
    );
  });
});
