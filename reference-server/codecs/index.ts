// Every codec, a row each: what answers are written in and bodies are read as.
import { protobufType } from '../../matrix/api/index.js';
import { type Lacks, lacksNothing } from '../features/features.js';
import type { Codec } from './codec.js';
import { json } from './json.js';
import { createProtobuf } from './protobuf.js';
import { createYaml } from './yaml.js';
import { YamlThread } from './yamlThread.js';

/** The codecs of a server. */
export interface Codecs {
  /** In the order in which they are offered; the first answers who does not say. */
  readonly all: readonly [Codec, ...Codec[]];
  /** The codec of a media type (lower case, without parameters), or undefined. */
  of(mediaType: string): Codec | undefined;
  /** Ends what the codecs have started; what they have under way is refused. */
  close(): Promise<void>;
}

/** Makes them for a vendor, whose name is in the media type of protobuf (readings, 1). */
export function createCodecs(vendor: string, lacks: Lacks = lacksNothing): Codecs {
  const thread = new YamlThread();
  const all = [json, createYaml(thread), ...(lacks('protobuf') ? [] : [createProtobuf(protobufType(vendor))])] as const;
  const byMediaType = new Map<string, Codec>(all.map((codec) => [codec.mediaType, codec]));
  return { all, of: (mediaType) => byMediaType.get(mediaType), close: () => thread.close() };
}
