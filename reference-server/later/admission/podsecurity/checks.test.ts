// What each level finds in pods, in the words of present servers.
import { expect, it } from 'vitest';
import type { AnyShape } from '../../../testing/anyShape.js';
import { findingsOf, type Pod, violationsOf } from './checks.js';
import type { LevelName } from './levels.js';

const good = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const container = (name: string, context: AnyShape = {}, more: AnyShape = {}) => ({
  ...{ name, image: 'i', securityContext: { ...good, ...context } },
  ...more,
});
const podOf = (spec: AnyShape, annotations?: AnyShape): Pod =>
  ({ metadata: annotations ? { annotations } : {}, spec: { containers: [container('c')], ...spec } }) as Pod;
const find = (pod: Pod, name: LevelName, minor = Number.POSITIVE_INFINITY) => violationsOf(pod, { name, minor });

it('a good pod violates nothing, and an empty one the restricted level', () => {
  for (const level of ['privileged', 'baseline', 'restricted'] as const) {
    expect(find(podOf({}), level)).toBeUndefined();
  }
  const plain = podOf({
    containers: [
      { name: 'a', image: 'i' },
      { name: 'b', image: 'i' },
    ],
  });
  expect(find(plain, 'baseline')).toBeUndefined();
  expect(find(plain, 'restricted')).toBe(
    [
      'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ].join(', '),
  );
});

const withContext = (context: AnyShape) => ({ containers: [container('c', context)] });
const unconfined = { type: 'Unconfined' };

it.each<[name: string, spec: AnyShape, message: string]>([
  ['namespaces', { hostPID: true, hostNetwork: true }, 'host namespaces (hostNetwork=true, hostPID=true)'],
  [
    'privilege',
    withContext({ privileged: true }),
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    'an init container and an ephemeral one',
    {
      initContainers: [container('i', { privileged: true })],
      ephemeralContainers: [container('e', { privileged: true })],
    },
    'privileged (containers "i", "e" must not set securityContext.privileged=true)',
  ],
  [
    'capabilities',
    withContext({ capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'CHOWN', 'BPF'] } }),
    'non-default capabilities (container "c" must not include "BPF", "NET_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    'paths of the host',
    {
      volumes: [
        { name: 'a', hostPath: { path: '/' } },
        { name: 'b', emptyDir: {} },
      ],
    },
    'hostPath volumes (volume "a")',
  ],
  [
    'ports of the host',
    {
      containers: [
        container(
          'c',
          {},
          {
            ports: [
              { containerPort: 1, hostPort: 80 },
              { containerPort: 2, hostPort: 0 },
            ],
          },
        ),
      ],
    },
    'hostPort (container "c" uses hostPort 80)',
  ],
  [
    'the mount of /proc',
    withContext({ procMount: 'Unmasked' }),
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    'SELinux',
    { securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } } },
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
  ],
  [
    'seccomp',
    { securityContext: { seccompProfile: unconfined }, containers: [container('c', { seccompProfile: unconfined })] },
    'seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'sysctls',
    {
      securityContext: {
        sysctls: ['kernel.shm_rmid_forced', 'kernel.msgmax', 'net.core.somaxconn'].map((name) => ({
          name,
          value: '1',
        })),
      },
    },
    'forbidden sysctls (kernel.msgmax, net.core.somaxconn)',
  ],
  [
    'AppArmor',
    withContext({ appArmorProfile: unconfined }),
    'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'processes of the host',
    { securityContext: { windowsOptions: { hostProcess: true } } },
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
])('the baseline forbids %s', (_, spec, message) => {
  expect(find(podOf(spec), 'baseline')).toBe(message);
  expect(find(podOf(spec), 'privileged')).toBeUndefined();
  // in the words of the restricted level, and once
  expect(findingsOf(podOf(spec), { name: 'restricted', minor: Number.POSITIVE_INFINITY })).toHaveLength(1);
});

it.each<[name: string, spec: AnyShape, message: string]>([
  [
    'other capabilities',
    withContext({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CHOWN'] } }),
    'unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'volumes of nodes',
    {
      volumes: [
        { name: 'a', hostPath: { path: '/' } },
        { name: 'b', nfs: {} },
        { name: 'c', csi: {} },
      ],
    },
    'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
  ],
  [
    'root, said by a pod and a container',
    { securityContext: { runAsNonRoot: false }, containers: [container('c', { runAsNonRoot: false })] },
    'runAsNonRoot != true (pod and container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  ['the user 0', withContext({ runAsUser: 0 }), 'runAsUser=0 (container "c" must not set runAsUser=0)'],
])('the restricted level forbids %s', (_, spec, message) => {
  expect(find(podOf(spec), 'restricted')).toBe(message);
});

it('a pod says for its containers that they are not root, and which calls they make', () => {
  const silent = container('c', { runAsNonRoot: undefined, seccompProfile: undefined });
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'p' } };
  expect(find(podOf({ containers: [silent], securityContext }), 'restricted')).toBeUndefined();
});

it('annotations name profiles too', () => {
  const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' };
  expect(find(podOf({}, annotations), 'baseline')).toBe(
    'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")',
  );
});

it('a level is as of a version', () => {
  const root = podOf(withContext({ runAsUser: 0 }));
  expect([find(root, 'restricted', 22), find(root, 'restricted', 23)]).toEqual([
    undefined,
    'runAsUser=0 (container "c" must not set runAsUser=0)',
  ]);
  const keepalive = podOf({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_keepalive_time', value: '1' }] } });
  expect([find(keepalive, 'baseline', 28), find(keepalive, 'baseline', 29)]).toEqual([
    'forbidden sysctls (net.ipv4.tcp_keepalive_time)',
    undefined,
  ]);
  const capable = podOf(withContext({ capabilities: { add: ['SYS_TIME'] } }));
  expect([21, 22].map((minor) => find(capable, 'restricted', minor)?.split(' (')[0])).toEqual([
    'non-default capabilities',
    'unrestricted capabilities',
  ]);
  const probe = { httpGet: { port: 1, host: 'example.com' } };
  const probing = podOf({ containers: [container('c', {}, { livenessProbe: probe })] });
  expect([find(probing, 'baseline', 33), find(probing, 'baseline', 34)?.split(' (')[0]]).toEqual([
    undefined,
    'probe or lifecycle host',
  ]);
});

it('a pod with users of its own may be root in it since 1.35', () => {
  const spec = { hostUsers: false, ...withContext({ runAsNonRoot: false, runAsUser: 0, procMount: 'Unmasked' }) };
  const reasons = (level: LevelName, minor: number) =>
    findingsOf(podOf(spec), { name: level, minor }).map(({ reason }) => reason);
  expect([reasons('baseline', 34), reasons('baseline', 35)]).toEqual([['procMount'], []]);
  expect([reasons('restricted', 34), reasons('restricted', 35)]).toEqual([
    ['procMount', 'runAsNonRoot != true', 'runAsUser=0'],
    ['procMount'],
  ]);
});

it('pods of Windows have no capabilities, no escalation and no seccomp since 1.25', () => {
  const windows = podOf({
    os: { name: 'windows' },
    containers: [{ name: 'c', image: 'i', securityContext: { runAsNonRoot: true } }],
  });
  expect(find(windows, 'restricted', 25)).toBeUndefined();
  expect(find(windows, 'restricted', 24)).toContain('allowPrivilegeEscalation');
});
