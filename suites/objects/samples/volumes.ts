// A volume of each type in Kubernetes 1.5, with a value in every field that can be combined with the others.
import type { JsonObject } from '../../client/json.js';

/** The types that every cluster lets a Pod have. */
export const plainVolumes: JsonObject[] = [
  { name: 'empty', emptyDir: { medium: 'Memory' } },
  {
    name: 'secret',
    secret: { secretName: 'some-secret', items: [{ key: 'a', path: 'b', mode: 257 }], defaultMode: 256 },
  },
  { name: 'claim', persistentVolumeClaim: { claimName: 'some-claim', readOnly: true } },
  {
    name: 'about',
    downwardAPI: {
      items: [
        { path: 'labels', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' }, mode: 258 },
        { path: 'limit', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
      ],
      defaultMode: 259,
    },
  },
  {
    name: 'settings',
    configMap: { name: 'some-settings', items: [{ key: 'a', path: 'b', mode: 260 }], defaultMode: 261 },
  },
];

/** The types that the policies of many clusters refuse. */
export const otherVolumes: JsonObject[] = [
  { name: 'host', hostPath: { path: '/on/host' } },
  { name: 'gce', gcePersistentDisk: { pdName: 'some-disk', fsType: 'ext3', partition: 1, readOnly: true } },
  { name: 'aws', awsElasticBlockStore: { volumeID: 'some-id', fsType: 'ext3', partition: 2, readOnly: true } },
  { name: 'git', gitRepo: { repository: 'https://git.example/some.git', revision: 'main', directory: 'part' } },
  { name: 'nfs', nfs: { server: 'nfs.example', path: '/exported', readOnly: true } },
  {
    name: 'iscsi',
    iscsi: {
      targetPortal: '192.0.2.8:3260',
      iqn: 'iqn.2001-04.com.example:storage.disk',
      lun: 3,
      iscsiInterface: 'some-interface',
      fsType: 'ext3',
      readOnly: true,
    },
  },
  { name: 'gluster', glusterfs: { endpoints: 'some-endpoints', path: 'some-path', readOnly: true } },
  {
    name: 'rbd',
    rbd: {
      monitors: ['192.0.2.9:6789'],
      image: 'some-image',
      fsType: 'ext3',
      pool: 'some-pool',
      user: 'some-user',
      keyring: '/some/keyring',
      secretRef: { name: 'some-secret' },
      readOnly: true,
    },
  },
  {
    name: 'flex',
    flexVolume: {
      driver: 'example.com/driver',
      fsType: 'ext3',
      secretRef: { name: 'some-secret' },
      readOnly: true,
      options: { some: 'option' },
    },
  },
  { name: 'cinder', cinder: { volumeID: 'some-id', fsType: 'ext3', readOnly: true } },
  {
    name: 'ceph',
    cephfs: {
      monitors: ['192.0.2.10:6789'],
      path: '/some/path',
      user: 'some-user',
      secretFile: '/some/file',
      secretRef: { name: 'some-secret' },
      readOnly: true,
    },
  },
  { name: 'flocker', flocker: { datasetName: 'some-dataset' } },
  { name: 'fc', fc: { targetWWNs: ['500a0982991b8dc5'], lun: 4, fsType: 'ext3', readOnly: true } },
  { name: 'azure-file', azureFile: { secretName: 'some-secret', shareName: 'some-share', readOnly: true } },
  { name: 'vsphere', vsphereVolume: { volumePath: '[some] path', fsType: 'ext3' } },
  {
    name: 'quobyte',
    quobyte: {
      registry: '192.0.2.11:7861',
      volume: 'some-volume',
      readOnly: true,
      user: 'some-user',
      group: 'some-group',
    },
  },
  {
    name: 'azure-disk',
    azureDisk: {
      diskName: 'some.vhd',
      diskURI: 'https://account.blob.core.windows.net/vhds/some.vhd',
      cachingMode: 'ReadOnly',
      fsType: 'ext3',
      readOnly: true,
    },
  },
  { name: 'photon', photonPersistentDisk: { pdID: 'some-id', fsType: 'ext3' } },
];
