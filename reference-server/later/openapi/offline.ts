// The OpenAPI documents of a server, without the server.
import type { Addon } from '../../addons.js';
import { createCodecs } from '../../codecs/index.js';
import { type AppOptions, completeOptions } from '../../options.js';
import { surfaceOf } from '../../surface.js';
import { doAll } from '../../turns.js';
import { documentV2, documentV3, pathsV3 } from './documents.js';
import { documentSource } from './source.js';

export interface OpenApiDocuments {
  /** Returns the document of OpenAPI 2. */
  v2(): object;
  /** The paths of the documents of OpenAPI 3, such as `api/v1` and `apis/batch/v1`. */
  readonly paths: readonly string[];
  /** Returns the document of OpenAPI 3 at one of the paths, or undefined. */
  v3(path: string): object | undefined;
}

/** Returns the documents of a server with these options and addons. Throws OptionError for an invalid option. */
export async function documentsOf(options: AppOptions, addons: readonly Addon[]): Promise<OpenApiDocuments> {
  const complete = await completeOptions(options, addons);
  const { vendor, lacks } = complete;
  const present = addons.filter(({ feature }) => feature === undefined || !lacks(feature));
  const patchTypes = present.flatMap(({ patchType }) => patchType ?? []);
  const codecs = createCodecs(vendor, lacks, patchTypes);
  const source = documentSource({ ...complete, codecs, operations: surfaceOf(complete).operations });
  return {
    v2: () => doAll(documentV2(source)),
    paths: pathsV3(source),
    v3: (path) => doAll(documentV3(source, path)),
  };
}
