// Section 5 of the interface: query parameters.
import type { Section } from './types.js';

export const parameters = {
  number: 5,
  title: 'Query parameters',
  introduction:
    'Query parameters come in three sets. LW is the set of lists, delete-collections and watches, RD the set of ' +
    'reads, and PR the set of all other operations. The parameters of logs, connections and proxies are in their ' +
    'own sections.',
  rules: [
    {
      number: '5.1',
      title: 'Parameter sets',
      text:
        'LW has `pretty`, `labelSelector`, `fieldSelector`, `watch`, `resourceVersion` and `timeoutSeconds`. RD has ' +
        '`pretty`, `export` and `exact`. PR has `pretty`. Every query parameter is optional. A parameter that the ' +
        'server does not know should change nothing.',
      why: 'A newer client adds parameters that an older server must ignore.',
      sources: ['Parameters/LW', 'Parameters/RD', 'Parameters/PR'],
      table: 'parameters',
    },
    {
      number: '5.2',
      title: 'Lists, delete-collections and watches take the whole set LW',
      text:
        'The server must accept all six parameters on every list, delete-collection and watch. On a ' +
        'delete-collection `watch`, `resourceVersion` and `timeoutSeconds` must not turn the call into a stream: it ' +
        'deletes, returns one response and ends.',
      why: 'A client library sends the same options to all three operations.',
      sources: ['Generic operation set/always LW'],
    },
    {
      number: '5.3',
      title: 'pretty',
      text:
        '`pretty` is a string. With `pretty=true` the server must indent JSON over several lines, and the object ' +
        'must stay the same; a watch with `pretty=true` must report the same events. Without it JSON should be ' +
        'compact. An error should follow the parameter too.',
      why: 'People read responses in a terminal; programs want short ones.',
      sources: ['Parameters/pretty'],
    },
    {
      number: '5.4',
      title: 'resourceVersion on a list',
      text:
        '`resourceVersion` is a string that the server makes and the client treats as opaque. On a list it should ' +
        'mean that the result is at least as new as that version: a server that is behind should wait or fail, and ' +
        'never show an older state. A value that is not a version should be refused with a client error. Section 12 ' +
        'says what the parameter means on a watch.',
      why: 'A client that reads after its own write must not see the state from before the write.',
      sources: ['Parameters/resourceVersion'],
    },
    {
      number: '5.5',
      title: 'timeoutSeconds',
      text:
        '`timeoutSeconds` is an integer of 32 bits: the time after which a list or a watch call must have ended. ' +
        'Every value from 0 to 2147483647 must be accepted. A value that is not a number should be refused with a ' +
        'client error.',
      why: 'A client that must finish in time cannot wait for a server that has stalled.',
      sources: ['Parameters/timeoutSeconds'],
    },
    {
      number: '5.6',
      title: 'export',
      text:
        '`export` is a boolean. With `export=true` a read must omit what a user cannot specify: `uid`, ' +
        '`resourceVersion`, `creationTimestamp`, `status` and, without `exact`, the namespace. It must keep the ' +
        'kind, the name, the labels and the fields that the user wrote. With `export=false` it must omit nothing. ' +
        'It should also omit `generation` and what the cluster assigned in the spec, so that the result can be ' +
        'created again.',
      why: 'An export is a manifest: a user copies it to another cluster.',
      sources: ['Parameters/export'],
    },
    {
      number: '5.7',
      title: 'exact',
      text:
        '`exact` is a boolean that goes with `export`. With `export=true&exact=true` a read must keep the fields ' +
        'that belong to this cluster, such as the namespace. Without `export` it must change nothing.',
      why: 'A backup of one cluster needs the fields that an export for another cluster must not have.',
      sources: ['Parameters/exact'],
    },
    {
      number: '5.8',
      title: 'Pages of a list',
      text:
        'With `limit` a list should hold at most that many items, and a `continue` token when there are more. ' +
        "Following the tokens should give every object of the first page's state exactly once, also while others " +
        'write. A token that is too old should give 410 with a token to continue from, or still work; a malformed ' +
        '`limit` or `continue` should be refused with a client error. A server without pages ignores both ' +
        'parameters.',
      why: 'A client with a page size would otherwise process objects twice or skip them.',
      sources: [],
    },
    {
      number: '5.9',
      title: 'Dry run',
      text:
        'A write with `dryRun=All` should change nothing, whether the server accepts or refuses it. A write with ' +
        'another value of `dryRun` should change nothing either.',
      why: 'A tool that previews a change must never make it.',
      sources: [],
    },
  ],
} as const satisfies Section;
