// The ports of the host: on its network, those of a container are those of the host.

type Fields = Readonly<Record<string, unknown>>;
type Port = { hostPort?: unknown; readonly containerPort?: unknown };

const listsOf = ['containers', 'initContainers'] as const;

/** Fills in the ports of the host in a spec of a pod that is on the network of the host. */
export function fillHostPorts(spec: Fields | undefined): void {
  if (spec?.hostNetwork !== true) return;
  for (const list of listsOf) {
    for (const { ports } of (spec[list] ?? []) as { readonly ports?: readonly Port[] }[]) {
      for (const port of ports ?? []) port.hostPort ??= port.containerPort;
    }
  }
}

/** Returns an object in whose template of pods they are filled in, as servers before 1.28 do. */
export function withTemplatePorts<T extends Fields>(object: T): T {
  const within = (outer: unknown, name: string) => (outer as Fields | undefined)?.[name] as Fields | undefined;
  const job = within(within(object.spec, 'jobTemplate'), 'spec');
  const template = object.template ?? within(object.spec, 'template') ?? within(job, 'template');
  fillHostPorts(within(template, 'spec'));
  return object;
}
