// A version of a named group, with the media types that the document declares for the group paths.
import type { GroupVersion } from './resource.js';

/** Returns a group version under `/apis` (Endpoints/Conventions, 4: the group paths). */
export function groupVersion(group: string, version: string): GroupVersion {
  return {
    group,
    version,
    prefix: `/apis/${group}/${version}`,
    responseTypes: ['json', 'yaml', 'protobuf'],
    watchTypes: ['json', 'jsonWatch', 'protobuf', 'protobufWatch'],
    stated: true,
  };
}
