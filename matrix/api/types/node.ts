// Nodes and the state of the control plane.
import { field, list, map } from './field.js';

export const nodeTypes = {
  Node: {
    metadata: field('ObjectMeta', 1),
    spec: field('NodeSpec', 2),
    status: field('NodeStatus', 3),
  },
  NodeSpec: {
    podCIDR: field('string', 1),
    externalID: field('string', 2),
    providerID: field('string', 3),
    unschedulable: field('boolean', 4),
  },
  NodeStatus: {
    capacity: map('quantity', 1),
    allocatable: map('quantity', 2),
    phase: field('string', 3),
    conditions: list('NodeCondition', 4, { mergeKey: 'type', strategy: 'merge' }),
    addresses: list('NodeAddress', 5, { mergeKey: 'type', strategy: 'merge' }),
    daemonEndpoints: field('NodeDaemonEndpoints', 6),
    nodeInfo: field('NodeSystemInfo', 7),
    images: list('ContainerImage', 8),
    volumesInUse: list('string', 9),
    volumesAttached: list('AttachedVolume', 10),
  },
  NodeCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastHeartbeatTime: field('time', 3),
    lastTransitionTime: field('time', 4),
    reason: field('string', 5),
    message: field('string', 6),
  },
  NodeAddress: {
    type: field('string', 1, { required: true }),
    address: field('string', 2, { required: true }),
  },
  NodeDaemonEndpoints: {
    kubeletEndpoint: field('DaemonEndpoint', 1),
  },
  DaemonEndpoint: {
    Port: field('int32', 1, { required: true }),
  },
  NodeSystemInfo: {
    machineID: field('string', 1, { required: true }),
    systemUUID: field('string', 2, { required: true }),
    bootID: field('string', 3, { required: true }),
    kernelVersion: field('string', 4, { required: true }),
    osImage: field('string', 5, { required: true }),
    containerRuntimeVersion: field('string', 6, { required: true }),
    kubeletVersion: field('string', 7, { required: true }),
    kubeProxyVersion: field('string', 8, { required: true }),
    operatingSystem: field('string', 9, { required: true }),
    architecture: field('string', 10, { required: true }),
  },
  ContainerImage: {
    names: list('string', 1, { required: true }),
    sizeBytes: field('int64', 2),
  },
  AttachedVolume: {
    name: field('string', 1, { required: true }),
    devicePath: field('string', 2, { required: true }),
  },
  ComponentStatus: {
    metadata: field('ObjectMeta', 1),
    conditions: list('ComponentCondition', 2, { mergeKey: 'type', strategy: 'merge' }),
  },
  ComponentCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    message: field('string', 3),
    error: field('string', 4),
  },
};
