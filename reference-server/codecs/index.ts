// The codecs, one row each.
import { mediaTypes, patchTypes, protobufType } from '../../matrix/api/index.js';
import { type IsDisabled, nothingDisabled } from '../features/features.js';
import type { Codec } from './codec.js';
import { json } from './json.js';
import { createProtobuf } from './protobuf.js';
import { createYaml, YamlThread } from './yamlThread.js';

export interface Codecs {
  /** The codecs in the order of preference; the first is the default. */
  readonly all: readonly [Codec, ...Codec[]];
  /** Returns the codec of a media type (lower case, without parameters), or undefined. */
  of(mediaType: string): Codec | undefined;
  ofPatch(mediaType: string): Codec | undefined;
  readonly patchTypes: readonly string[];
  /** Ends the YAML thread; its jobs are refused. */
  close(): Promise<void>;
}

interface RegisteredPatchType {
  readonly mediaType: string;
  codecOf(yaml: Codec): Codec;
}

/** Makes the codecs for a vendor, whose name is part of the media type of protobuf (readings, 1). */
export function createCodecs(
  vendor: string,
  lacks: IsDisabled = nothingDisabled,
  registered: readonly RegisteredPatchType[] = [],
): Codecs {
  const thread = new YamlThread();
  const yaml = createYaml(thread);
  const all = [json, yaml, ...(lacks('protobuf') ? [] : [createProtobuf(protobufType(vendor))])] as const;
  const byMediaType = new Map<string, Codec>(all.map((codec) => [codec.mediaType, codec]));
  const byPatchType = new Map<string, Codec>(patchTypes.map((type) => [mediaTypes[type], json]));
  for (const { mediaType, codecOf } of registered) byPatchType.set(mediaType, codecOf(yaml));
  return {
    all,
    of: (mediaType) => byMediaType.get(mediaType),
    ofPatch: (mediaType) => byPatchType.get(mediaType),
    patchTypes: [...byPatchType.keys()],
    close: () => thread.close(),
  };
}
