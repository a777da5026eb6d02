// Tests selectors: their matches, and the messages of refusals.
import { describe, expect, test } from 'vitest';
import { resourceId, resources } from '../../matrix/api/index.js';
import { StatusError } from '../statusError.js';
import { parseFieldSelector } from './fields.js';
import { matcherOf, parseLabelSelector } from './labels.js';

function refusal(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const row = (id: string) => {
  const resource = resources.find((candidate) => resourceId(candidate) === id);
  if (!resource) throw new Error(`no resource ${id}`);
  return resource;
};

const objects: Record<string, Record<string, string> | undefined> = {
  one: { app: 'x', tier: 'a', n: '5' },
  two: { app: 'y', tier: 'b', 'example.com/role': 'r' },
  three: { app: 'x' },
  bare: undefined,
};

describe('a label selector', () => {
  test.each([
    ['', 'one two three bare'],
    [' ', 'one two three bare'],
    ['app=x', 'one three'],
    ['app==x', 'one three'],
    ['app = x , tier = a', 'one'],
    ['app!=x', 'two bare'],
    ['app in (x,y),tier!=b', 'one three'],
    ['app in (y)', 'two'],
    ['app notin (y)', 'one three bare'],
    ['tier', 'one two'],
    ['!tier,app', 'three'],
    ['! tier', 'three bare'],
    ['n>4', 'one'],
    ['n<5', ''],
    ['example.com/role=r', 'two'],
    ['app=', ''],
    ['app in ()', ''],
    ['toString', ''],
    ['!constructor', 'one two three bare'],
  ])('%j selects %s', (text, names) => {
    const matches = parseLabelSelector(text) ?? (() => true);
    const selected = Object.keys(objects).filter((name) => matches(objects[name]));
    expect(selected.join(' ')).toBe(names);
  });

  test.each([
    ['app in x', "unable to parse requirement: found 'x' expected: '('"],
    ['app in', "unable to parse requirement: found '' expected: '('"],
    [',,,', "found ',', expected: !, identifier, or 'end of string'"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a,', "found '', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['Bad*Key=b', 'unable to parse requirement: <nil>: Invalid value: "Bad*Key": name part must consist of'],
    ['a=b&c', 'unable to parse requirement: invalid label value: "b&c": at key: "a": a valid label must be'],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a>x', `values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
    ['a>9223372036854775808', "for 'Gt', 'Lt' operators, the value must be an integer"],
    ['a<-1', 'invalid label value: "-1": at key: "a": a valid label must be an empty string or consist of'],
    ['a in (b', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ])('%j is refused', (text, message) => {
    expect(refusal(() => parseLabelSelector(text))).toMatch(/^400 /);
    expect(refusal(() => parseLabelSelector(text))).toContain(message);
  });

  test.each([
    [{ matchLabels: { app: 'x' } }, 'one three'],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['y'] }] }, 'two'],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['y'] }] }, 'one three bare'],
    [{ matchLabels: { app: 'x' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, 'one'],
    [{ matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] }, 'three bare'],
    [{}, 'one two three bare'],
  ])('as an object: %j selects %s', (selector, names) => {
    const matches = matcherOf(selector);
    expect(
      Object.keys(objects)
        .filter((name) => matches(objects[name]))
        .join(' '),
    ).toBe(names);
  });
});

describe('a field selector', () => {
  const pod = { metadata: { name: 'p', namespace: 'n' }, spec: { nodeName: 'x' }, status: { phase: 'Running' } };
  test.each([
    ['core/pods', 'metadata.name=p', pod, true],
    ['core/pods', 'metadata.name!=p', pod, false],
    ['core/pods', 'metadata.name==p,metadata.namespace=n', pod, true],
    ['core/pods', 'spec.nodeName=', { spec: {} }, true],
    ['core/pods', 'spec.nodeName=,status.phase=Running', pod, false],
    ['core/pods', 'status.phase!=Pending', pod, true],
    ['core/nodes', 'spec.unschedulable=false', { metadata: {} }, true],
    ['core/nodes', 'spec.unschedulable=true', { spec: { unschedulable: true } }, true],
    ['core/pods', 'spec.hostNetwork=false', { spec: {} }, true],
    ['core/pods', 'spec.hostNetwork=true', { spec: { hostNetwork: true } }, true],
    ['core/events', 'source=kubelet', { source: { component: 'kubelet' } }, true],
    ['core/events', 'involvedObject.name=a\\,b', { involvedObject: { name: 'a,b' } }, true],
    ['core/secrets', 'type=Opaque', { type: 'Opaque' }, true],
    ['batch/jobs', 'status.successful=1', { status: { succeeded: 1 } }, true],
    ['core/persistentvolumes', 'metadata.namespace!=n', { metadata: { name: 'a' } }, true],
    ['core/configmaps', 'metadata.name=a,', { metadata: { name: 'a' } }, true],
  ])('%s %j', (id, text, object, selected) => {
    expect(parseFieldSelector(text, row(id))?.(object)).toBe(selected);
  });

  test.each([
    [
      'core/configmaps',
      'spec.nope=1',
      '"spec.nope" is not a known field selector: only "metadata.name", "metadata.name',
    ],
    ['core/configmaps', 'bogus', "invalid selector: 'bogus'; can't understand 'bogus'"],
    ['core/pods', 'spec.bogus=1', 'field label not supported: spec.bogus'],
    ['core/nodes', 'metadata.namespace=n', 'field label not supported: metadata.namespace'],
    ['core/namespaces', 'metadata.name=a,metadata.namespace=n', 'field label not supported: metadata.namespace'],
    ['batch/jobs', 'spec."a=1', 'field label "spec.\\"a" not supported for batchv1.Job'],
    ['core/configmaps', 'metadata.name===a', 'invalid field selector: unescaped character in value: 61'],
    ['core/configmaps', 'metadata.name=a\\b', 'invalid field selector: invalid escape sequence'],
    ['core/configmaps', 'metadata.name=a\\', 'invalid field selector: invalid escape sequence'],
  ])('%s %j is refused', (id, text, message) => {
    expect(refusal(() => parseFieldSelector(text, row(id)))).toContain(`400 ${message}`);
  });

  test('that is empty selects everything', () => {
    expect(parseFieldSelector('', row('core/pods'))).toBeUndefined();
  });
});
