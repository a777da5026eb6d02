// The whole table, and the check that the type of every row is a scalar or a type of the table.
import { autoscalingTypes } from './autoscaling.js';
import { configTypes } from './config.js';
import { containerTypes } from './container.js';
import { discoveryTypes } from './discovery.js';
import type { Rows } from './graph.js';
import { jobTypes } from './jobs.js';
import { metaTypes } from './meta.js';
import { namespaceTypes } from './namespace.js';
import { networkTypes } from './network.js';
import { nodeTypes } from './node.js';
import { persistentVolumeTypes } from './persistentVolumes.js';
import { podTypes } from './pod.js';
import { referenceTypes } from './references.js';
import { reviewTypes } from './review.js';
import { serviceTypes } from './service.js';
import { thirdPartyTypes } from './thirdParty.js';
import { volumeTypes } from './volumes.js';
import { workloadTypes } from './workloads.js';

const rows = {
  ...metaTypes,
  ...discoveryTypes,
  ...referenceTypes,
  ...podTypes,
  ...containerTypes,
  ...volumeTypes,
  ...persistentVolumeTypes,
  ...serviceTypes,
  ...nodeTypes,
  ...namespaceTypes,
  ...configTypes,
  ...workloadTypes,
  ...jobTypes,
  ...autoscalingTypes,
  ...networkTypes,
  ...thirdPartyTypes,
  ...reviewTypes,
};

export type TypeName = keyof typeof rows;

export const table: Rows<TypeName> = rows;

/** The types that belong to no group: object metadata, discovery, Status and the like. */
export const sharedTypes: ReadonlySet<string> = new Set([...Object.keys(metaTypes), ...Object.keys(discoveryTypes)]);
