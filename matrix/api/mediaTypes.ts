// Media types by name, and the sets that the document declares for requests and responses.

/** Returns the media type of protobuf, which contains the name of a vendor (Endpoints/Conventions, 3; readings, 1). */
export const protobufType = <Vendor extends string>(vendor: Vendor) => `application/vnd.${vendor}.protobuf` as const;

/** Every media type of the interface, by short name (Endpoints/Conventions, 3 and 4). */
export const mediaTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: protobufType('kubernetes'),
  jsonWatch: 'application/json;stream=watch',
  protobufWatch: 'application/vnd.kubernetes.protobuf;stream=watch',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
} as const;

/** The media type of server-side apply, which came after the interface. */
export const applyPatchType = 'application/apply-patch+yaml';

export type MediaType = keyof typeof mediaTypes;

/** The declaration of an operation: a list of media types, or any type at all (`/` in the document). */
export type MediaTypes = readonly MediaType[] | 'any';

/** The three types of every PATCH (Endpoints/Conventions, 3). */
export const patchTypes = ['jsonPatch', 'mergePatch', 'strategicMergePatch'] as const satisfies readonly MediaType[];
