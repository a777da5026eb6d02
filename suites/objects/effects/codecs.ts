// After a write, each media type of the object shows the same: whole, and as it is now.
import { wireType } from '../../client/decoders.js';
import { status } from '../../client/expect.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { readAtRest } from '../atRest.js';
import { sameObject } from '../sameness.js';
import type { Sandbox } from '../sandbox.js';
import { isSame } from './compare.js';
import type { Written } from './places.js';

/** The reads of one object at one version. No protobuf in the core group, nor of kinds whose types no table has. */
export interface InCodecs {
  readonly json: Reply;
  readonly yaml: Reply;
  readonly protobuf?: Reply;
}

/** Reads the object in each media type of its group. Reads again if it was written in between. */
export function readInCodecs({ client }: Sandbox, { resource, namespace, name }: Written): Promise<InCodecs> {
  const path = pathTo(resource, 'read', namespace, name);
  const read = (accept: string): Promise<Reply> => client.send({ method: 'GET', path, headers: { accept } });
  const hasProtobuf = resource.groupVersion.group !== '' && resource.found === undefined;
  return readAtRest(async () => ({
    json: await read('application/json'),
    yaml: await read('application/yaml'),
    ...(hasProtobuf && { protobuf: await read(wireType('protobuf', client.target)) }),
  }));
}

/**
 * Throws Failure unless the reads show the same object. Whether a server has a media type at all is judged by
 * `responses.media-type`.
 */
export function isOneInCodecs({ json, yaml, protobuf }: InCodecs): void {
  status(json, 200);
  const object = json.value();
  if (yaml.mediaType === 'application/yaml') isSame(yaml.value(), object, `${yaml.request} as YAML, against JSON`);
  if (protobuf?.mediaType.endsWith('.protobuf'))
    sameObject(protobuf.value(), object, `${protobuf.request} as protobuf`);
}
