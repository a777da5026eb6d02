// The `openapi` command: writes the OpenAPI documents of the reference server, without starting it.
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { unknownName } from '../../matrix/api/nearest.js';
import { OptionError } from '../../reference-server/index.js';
import { type OpenApiDocuments, openApiDocuments } from '../../reference-server/later/index.js';
import { UsageError } from '../errors.js';
import { writeTextFile } from '../files.js';
import { whyNotOption } from '../options.js';

interface Options {
  /** The name differs from `version`, which commander prints. */
  readonly specVersion: 'v2' | 'v3';
  readonly groupVersion?: string;
  readonly output?: string;
  readonly without?: string;
  readonly modern: boolean;
  readonly kubeVersion?: string;
  readonly runtimeConfig?: string;
}

export function registerOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('write the OpenAPI documents of the reference server, without starting it')
    .addOption(
      new Option('--spec-version <version>', 'version of OpenAPI: v3 has a document for each group version')
        .choices(['v2', 'v3'])
        .default('v3'),
    )
    .option('--group-version <name>', 'v3: only this document, such as v1, batch/v1 or version')
    .option('--output <path>', 'file for one document, directory for all of v3 (default: standard output, for one)')
    .option('--without <features>', 'as of a server without these features, separated by commas')
    .option('--no-modern', 'as of a server that serves only the groups of the interface')
    .option('--kube-version <version>', 'as of a server that reports this version')
    .option('--runtime-config <switches>', 'as of a server with these group versions enabled or disabled')
    .action(writeDocuments);
}

async function writeDocuments(options: Options): Promise<void> {
  const { specVersion, groupVersion, output } = options;
  const documents = await documentsOf(options);
  if (specVersion === 'v2') {
    if (groupVersion !== undefined) throw new UsageError('openapi: v2 is one document: leave out --group-version');
    writeOne(documents.v2(), output);
  } else if (groupVersion !== undefined) {
    writeOne(documentOf(documents, groupVersion), output);
  } else if (output !== undefined) {
    for (const path of documents.paths) writeOne(documents.v3(path), join(output, fileOf(path)));
  } else {
    throw new UsageError(
      'openapi: v3 has several documents: give --output with a directory, or choose one with --group-version',
    );
  }
}

async function documentsOf({ without, modern, kubeVersion, runtimeConfig }: Options): Promise<OpenApiDocuments> {
  const why = kubeVersion === undefined ? undefined : whyNotOption('kubeVersion', kubeVersion);
  if (why !== undefined) throw new UsageError(`openapi: --kube-version: ${why}`);
  try {
    return await openApiDocuments({
      modern,
      ...(without !== undefined && { without: without.split(',').map((name) => name.trim()) }),
      ...(kubeVersion !== undefined && { kubeVersion }),
      ...(runtimeConfig !== undefined && { runtimeConfig }),
    });
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`openapi: ${error.message}`) : error;
  }
}

/** Returns the document of a group version, or of a path of discovery such as `apis/batch`. Throws UsageError. */
function documentOf({ paths, v3 }: OpenApiDocuments, name: string): object {
  const document = v3(name.includes('/') ? `apis/${name}` : `api/${name}`) ?? v3(name);
  if (document !== undefined) return document;
  const known = paths.map((path) => path.replace(/^apis\/(?=.*\/)|^api\//, ''));
  throw new UsageError(`openapi: --group-version: ${unknownName('document', name, known)}`);
}

/** The file of a document: the names in the repository of Kubernetes. */
const fileOf = (path: string): string => `${path.replaceAll('/', '__')}_openapi.json`;

function writeOne(document: object | undefined, file: string | undefined): void {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeTextFile(file, text);
}
