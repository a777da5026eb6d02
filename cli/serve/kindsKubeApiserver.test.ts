// Compares what this server and a real kube-apiserver of 1.20 make of the same objects, field by field, for every kind.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { definitionSample } from '../../reference-server/later/testing/definitionSample.js';
import { earlierPath, kindSamples } from '../../reference-server/later/testing/kindSamples.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { mediaType, sendProtobuf } from '../../reference-server/testing/protobuf.js';
import { ask } from '../../reference-server/testing/standIn.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

/** Fields that differ, with the reason. A path without indexes, or its end after `…`. */
const strays: Readonly<Record<string, string>> = {
  '….metadata.creationTimestamp': 'null stands for an absent time: servers since 1.34 leave it out',
  '….metadata': 'the metadata of a template without any has such a time',
  'events.firstTimestamp': 'null stands for an absent time',
  'events.lastTimestamp': 'null stands for an absent time',
  'events.eventTime': 'null stands for an absent time',
  'nodes.status.conditions.lastHeartbeatTime': 'null stands for an absent time',
  'nodes.status.conditions.lastTransitionTime': 'null stands for an absent time',
  'limitranges.spec': 'a null list stands for an absent one',
  'clusterroles.rules': 'a null list stands for an absent one',
  'roles.rules': 'a null list stands for an absent one',
  'nodes.spec.taints': 'the taint of a node that is not ready, which a node controller takes away: there is none here',
  'csinodes.spec.drivers': 'a null list stands for an absent one',
  'flowschemas.apiVersion': 'an earlier version in 1.20',
  'prioritylevelconfigurations.apiVersion': 'an earlier version in 1.20',
  'prioritylevelconfigurations.spec.limited.assuredConcurrencyShares': 'the earlier name of the shares',
  'prioritylevelconfigurations.spec.limited.nominalConcurrencyShares': 'the later name of the shares',
  'prioritylevelconfigurations.spec.limited.lendablePercent': 'added in 1.26',
  'volumeattachments.spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy': 'a default of volumes',
  'volumeattachments.spec.source.inlineVolumeSpec.volumeMode': 'a default of volumes',
  'jobs.spec.ttlSecondsAfterFinished': 'an alpha field in 1.20, which drops it',
};

/** The controllers that would write to the objects before they are read. */
const controllers = [
  'service-account',
  'daemonset',
  'deployment',
  'job',
  'replicaset',
  'statefulset',
  'cronjob',
  'replication',
];

/** Values that servers choose: only their presence is compared. */
const chosen =
  /(?:^|\.)(?:uid|controller-uid|resourceVersion|creationTimestamp|lastTransitionTime|clusterIPs?|nodePort|healthCheckNodePort)(?:\.\d+)?$/;
/** Fields of all objects that later servers lack, or that tell who wrote. */
const notCompared = /^metadata\.(?:selfLink|managedFields)/;

function differences(one: AnyShape, other: AnyShape, path = ''): string[] {
  if (notCompared.test(path) || JSON.stringify(one) === JSON.stringify(other)) return [];
  if (one !== undefined && other !== undefined && chosen.test(path)) return [];
  const areInner = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!areInner || Array.isArray(one) !== Array.isArray(other)) {
    return [`${path.replace(/\.\d+/g, '')}: ${JSON.stringify(one)} here, ${JSON.stringify(other)} there`];
  }
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => differences(one[name], other[name], path === '' ? name : `${path}.${name}`));
}

const isStray = (plural: string, difference: string): boolean => {
  const path = `${plural}.${difference.slice(0, difference.indexOf(':'))}`;
  return Object.keys(strays).some((stray) => (stray.startsWith('…') ? path.endsWith(stray.slice(1)) : path === stray));
};

const isSuccess = (code: number): boolean => code === 200 || code === 201;

describe.skipIf(!hasKubeApiserver())('objects are filled in as kube-apiserver does', () => {
  let real: KubeApiserver;
  let here: RunningServer;
  /** For kinds that servers of 1.20 have in an earlier version only. */
  let present: RunningServer;
  let there: RunningServer;

  beforeAll(async () => {
    real = await startKubeApiserver('--no-controller-manager');
    const close = async () => {};
    there = { ...real, close, [Symbol.asyncDispose]: close };
    const without = [...controllers.map((name) => `${name}-controller`), 'service-account-admission'];
    here = await startFullServer({ kubeVersion: '1.20', without });
    present = await startFullServer({ without });
  });
  afterAll(async () => {
    await here?.close();
    await present?.close();
    await real?.stop();
  });

  async function created(server: RunningServer, path: string, body: object): Promise<AnyShape> {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await ask(server, path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([text, [200, 201].includes(status)]).toEqual([text, true]);
    return JSON.parse(text);
  }

  it('definitions of custom resources, sent and read in protobuf', async () => {
    for (const server of [here, there]) {
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const made = await sendProtobuf(server, 'POST', path, definitionSample);
      expect([made.status, made.type], `${server === here} ${JSON.stringify(made.object)}`).toEqual([
        expect.toSatisfy(isSuccess),
        mediaType,
      ]);
      const place = `${path}/${definitionSample.metadata.name}`;
      const { object: read } = await sendProtobuf(server, 'GET', place);
      const { object: inJson } = await sendProtobuf(server, 'GET', place, undefined, 'application/json');
      expect([server === here, read.spec]).toEqual([server === here, inJson.spec]);
      expect(inJson.spec.versions).toEqual(definitionSample.spec.versions);
      await ask(server, place, { method: 'DELETE' });
    }
  });

  it.each(Object.entries(kindSamples))('%s', async (path, samples) => {
    const plural = path.slice(path.lastIndexOf('/') + 1);
    const all: string[] = [];
    const own = earlierPath(path) === path ? here : present;
    for (const [what, sample] of Object.entries(samples)) {
      const body = {
        ...sample,
        metadata: { name: `a-${what.replaceAll(' ', '-').toLowerCase()}`, ...sample.metadata },
      };
      const [ours, theirs] = [await created(own, path, body), await created(there, earlierPath(path), body)];
      const found = differences(ours, theirs).filter((one) => !isStray(plural, one));
      all.push(...found.map((one) => `${what}: ${one}`));
      // A quota or a range of limits would concern what comes next.
      await ask(own, `${path}/${body.metadata.name}`, { method: 'DELETE' });
      await ask(there, `${earlierPath(path)}/${body.metadata.name}`, { method: 'DELETE' });
    }
    expect(all).toEqual([]);
  });
});
