// Section 1 of the interface: the service.
import type { Section } from './types.js';

export const service = {
  number: 1,
  title: 'The service',
  introduction:
    'The server is the API server of a container cluster. Clients see the cluster as objects, and each object as an ' +
    'HTTP resource. This section says what is common to all paths.',
  rules: [
    {
      number: '1.1',
      title: 'Base URL',
      text:
        'The server has one base URL, for example `https://192.0.2.10:6443`. Every path of this specification is ' +
        'relative to it. The base URL may have a path of its own, and every path is then below that path.',
      why: 'A client gets one URL and builds every request from it.',
      sources: ['Introduction/base URL'],
    },
    {
      number: '1.2',
      title: 'Objects as HTTP resources',
      text:
        'The server must offer each kind of section 2 as an HTTP resource that can be listed, watched, created, ' +
        'read, replaced, patched and deleted, alone or as a collection, as far as the tables of section 2 say. Some ' +
        'kinds also have subresources: `status`, `scale`, `rollback`, `finalize`, `binding`, `log`, `attach`, ' +
        '`exec`, `portforward` and `proxy`. The server must know every operation of these tables: it must not ' +
        'answer one with 404 for an unknown path, with 405 or with 501.',
      why: 'A client that finds an operation missing fails at run time, in the one code path that needs it.',
      sources: ['What the service does/1', 'What the service does/2'],
    },
    {
      number: '1.3',
      title: 'Namespaced and cluster-scoped objects',
      text:
        'An object belongs to one namespace or to the cluster as a whole. The path of a namespaced object contains ' +
        '`/namespaces/{namespace}/`; a cluster-scoped kind must have no such path. A namespace is a scope for names ' +
        'and permissions: objects with the same name in two namespaces must be two objects that share nothing.',
      why: 'Teams share a cluster only because a name in one namespace never reaches an object in another.',
      sources: ['What the service does/3'],
    },
    {
      number: '1.4',
      title: 'Names in the path',
      text:
        '`{namespace}` and `{name}` in a path are required. An operation must act in the namespace and on the ' +
        'object that its path names, and on nothing else. A percent-encoded character in a name should mean the ' +
        'character itself, decoded once. An encoded slash does not begin another part of the path.',
      why: 'An operation that acts on another object than the one in its URL destroys data silently.',
      sources: ['Parameters/namespace', 'Parameters/name'],
    },
    {
      number: '1.5',
      title: 'Group versions',
      text:
        'This interface has four group versions: `v1` (the core group), `autoscaling/v1`, `batch/v1` and ' +
        '`extensions/v1beta1`. The core group is served under `/api/v1`, the others under ' +
        '`/apis/<group>/<version>`. An object must carry the `apiVersion` of the path that it is read from. A fifth ' +
        'group version, `authentication.k8s.io/v1beta1`, has only the review objects of section 19.',
      why: 'A client decodes an object by its `apiVersion`; a wrong one selects the wrong fields.',
      sources: ['Versioning/1'],
    },
    {
      number: '1.6',
      title: 'One object in two group versions',
      text:
        'A Job lives in `batch/v1` and in `extensions/v1beta1`, a HorizontalPodAutoscaler in `autoscaling/v1` and ' +
        'in `extensions/v1beta1`. Both paths should show one stored object with one `uid` and one ' +
        '`resourceVersion`. A change through one path should be visible in a read, a list and a watch through the ' +
        'other, each with the field names of its own version. A body of the other version should be refused or ' +
        'converted, and never stored unchanged.',
      why: 'During a migration, old and new clients work on the same objects at the same time.',
      sources: [],
    },
    {
      number: '1.7',
      title: 'Wire formats',
      text:
        'The wire formats are JSON, YAML and a binary format based on protocol buffers. The media type of the ' +
        'binary format contains a vendor name: `application/vnd.<vendor>.protobuf`. In Kubernetes the vendor is ' +
        '`kubernetes`. Sections 4 and 16 say where each format is used.',
      why: 'A client chooses the format that it can parse, and must be able to rely on the choice.',
      sources: ['What the service does/5'],
      checkedBy: ['responses.media-type', 'responses.request-type', 'openapi.accept'],
    },
    {
      number: '1.8',
      title: 'HTTP',
      text:
        'A resource must follow HTTP/1.1 in what this interface does not say. A body must be read whether its length ' +
        'is declared or it comes in chunks, and after `100 Continue` if the client waits for it; its media type may ' +
        'have parameters and upper-case letters. A method that a path does not have must change nothing, and the ' +
        'response to a HEAD must have no body. A response must be compressed only for a client that accepts it, and ' +
        'a compressed body must be decoded or refused. Where HTTP/2 is offered, responses should be the same, and a ' +
        'watch should not hold up other requests. Where a `Warning` is sent, it should be well-formed.',
      why: 'Clients leave this to their HTTP library, which takes these liberties without asking them.',
      sources: [],
    },
    {
      number: '1.9',
      title: 'Queries',
      text:
        'A query must be decoded once, as a form: `+` and `%20` are blanks, escapes may be written in either case, ' +
        'names may be escaped too, and empty pairs mean nothing. Of a repeated parameter the first should count. A ' +
        'query of 8 KB should be accepted, and must not be answered as a part of it would be.',
      why: 'Every language has its own way to write a query, and a selector that is misread selects other objects.',
      sources: [],
    },
  ],
} as const satisfies Section;
