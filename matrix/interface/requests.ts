// Section 4 of the interface: requests and responses.
import type { Section } from './types.js';

export const requests = {
  number: 4,
  title: 'Requests and responses',
  introduction:
    'This section holds for every operation of section 2, except where the sections on watch, logs, connections and ' +
    'proxies say otherwise.',
  rules: [
    {
      number: '4.1',
      title: 'Success is 200',
      text:
        'A successful operation must return status 200, a create included. Discovery may return any 2xx status, and ' +
        'connections and proxies with 101 or any 2xx. Kubernetes itself answers a create with 201: target files of ' +
        'real servers declare that deviation.',
      why: 'Generated clients compare the status with the declared one and treat every other status as an error.',
      sources: ['Conventions/1'],
    },
    {
      number: '4.2',
      title: 'Media types of responses',
      text:
        'Operations of the core group return `application/json` or `application/yaml`. Operations of the group ' +
        'paths return these two or `application/vnd.kubernetes.protobuf`. The server must respond in the type that ' +
        'the `Accept` header asks for, name it in `Content-Type`, and the body must be well-formed in it. In YAML a string ' +
        'that looks like another value must be quoted. Without ' +
        "`Accept`, and with `*/*`, the response should be JSON; of several types the client's preferred one should " +
        'win; a request that accepts none of the types should be refused with 406.',
      why: 'A client hands the body to the parser of the type that it asked for.',
      sources: ['Conventions/4 core group', 'Conventions/4 group paths'],
    },
    {
      number: '4.3',
      title: 'Media types of requests',
      text:
        'A request with a body, other than a PATCH, may use any media type that the server can decode: JSON and ' +
        'YAML everywhere, protobuf in the group paths, and JSON when there is no `Content-Type`. All of them must ' +
        'have the same effect. Discovery accepts the media types of its responses. A PATCH accepts exactly ' +
        '`application/json-patch+json`, `application/merge-patch+json` and ' +
        '`application/strategic-merge-patch+json`, and a patch of any other type must be refused and change ' +
        'nothing. A type without a decoder should be refused with 415.',
      why: 'The same manifest must mean the same thing as JSON and as YAML.',
      sources: ['Conventions/3'],
    },
    {
      number: '4.4',
      title: 'Request bodies',
      text:
        'A create, a replace, a patch, and a write of `status`, `scale`, `rollback`, `finalize` or a binding have ' +
        'one required body. A missing body must be refused, and nothing may be written; the refusal must be a ' +
        'client error, and for a patch it should be one. Most deletes by name declare delete options as their body; ' +
        'a delete of a Service and the legacy proxy paths declare no body. A delete without a body should be ' +
        'accepted everywhere.',
      why: 'A write without its body is a bug of the client that the server must not turn into an empty object.',
      sources: ['Conventions/2', 'Parameters/body'],
    },
    {
      number: '4.5',
      title: 'Bodies that cannot be used',
      text:
        'A body that cannot be decoded, or that is of another kind or version than the path accepts, should be ' +
        'refused with 400. A refused write should change nothing.',
      why: 'A client that retries a failed write expects the state from before it.',
      sources: [],
    },
    {
      number: '4.6',
      title: 'Response bodies',
      text:
        'The body of a successful response is an object: the resource, its list or a `Status`. It must carry ' +
        '`apiVersion` and `kind`, and the required fields of section 3 with their types. The items of a list must ' +
        'have the same fields.',
      why: "A client that gets an unexpected object cannot tell success from a proxy's error page.",
      sources: [],
    },
    {
      number: '4.7',
      title: "The server's own OpenAPI",
      text:
        'A server may serve kinds that this document lacks, and declare them in an OpenAPI document of its own. A run ' +
        'with `--every-kind` holds it to its word: the status codes, media types, query parameters and schemas that ' +
        'the document declares for an operation must be those of the operation. Errors need not be declared. `null` ' +
        'stands for an absent value.',
      why: 'Clients of these kinds are generated from the document.',
      sources: [],
    },
  ],
} as const satisfies Section;
