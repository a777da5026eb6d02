// Finds the sample of a resource: the file of this folder that is named after it.
import { readdirSync } from 'node:fs';
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import type { Sample } from './sample.js';

const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z]+\.[a-z]{2,}\.[jt]s$/.test(file));

const samples = new Map<string, Sample>(
  await Promise.all(
    files.map(async (file) => {
      const url = new URL(file, import.meta.url).href;
      const module = (await import(url)) as { readonly sample: Sample };
      return [file.slice(0, -'.js'.length).replace('.', '/'), module.sample] as const;
    }),
  ),
);

/** The sample of a resource. Throws, naming the file to write, where there is none. */
export function sampleOf(resource: Resource): Sample {
  const sample = samples.get(resourceId(resource));
  if (sample === undefined) {
    throw new Error(`no sample: write suites/support/samples/${resourceId(resource).replace('/', '.')}.ts`);
  }
  return sample;
}
