// Tests which versions of a resource `--without` leaves out: all of its group, or the one that the name contains.
import { expect, it } from 'vitest';
import { ServerClient } from '../../testing/serverClient.js';
import { startFullServer } from '../index.js';

/** Returns the group versions, of some, that serve a resource. */
async function versionsOf(plural: string, groupVersions: readonly string[], without: readonly string[]) {
  await using server = await startFullServer({ without });
  const client = new ServerClient(server);
  const served: string[] = [];
  for (const groupVersion of groupVersions) {
    const { resources = [] } = await client.call('GET', `/apis/${groupVersion}`);
    const isListed = resources.some(({ name }: { name: string }) => name === plural);
    expect(await client.status('GET', `/apis/${groupVersion}/${plural}`)).toBe(isListed ? 200 : 404);
    if (isListed) served.push(groupVersion);
  }
  return served;
}

const budgets = ['policy/v1', 'policy/v1beta1'];
const cronJobs = ['batch/v1', 'batch/v1beta1'];
const autoscalers = ['autoscaling/v1', 'autoscaling/v2', 'extensions/v1beta1'];
const ingresses = ['networking.k8s.io/v1', 'extensions/v1beta1'];

it.each<[string, readonly string[], readonly string[]]>([
  ['policy/poddisruptionbudgets', budgets, []],
  ['policy.v1beta1/poddisruptionbudgets', budgets, ['policy/v1']],
  ['batch/cronjobs', cronJobs, []],
  ['batch.v1beta1/cronjobs', cronJobs, ['batch/v1']],
  ['autoscaling/horizontalpodautoscalers', autoscalers, ['extensions/v1beta1']],
  ['autoscaling.v2/horizontalpodautoscalers', autoscalers, ['autoscaling/v1', 'extensions/v1beta1']],
  ['extensions/horizontalpodautoscalers', autoscalers, ['autoscaling/v1', 'autoscaling/v2']],
  ['extensions/ingresses', ingresses, ['networking.k8s.io/v1']],
])('without resource:%s, of %j there are %j', async (name, all, left) => {
  const plural = name.replace(/.*\//, '');
  expect(await versionsOf(plural, all, [])).toEqual(all);
  expect(await versionsOf(plural, all, [`resource:${name}`])).toEqual(left);
});
