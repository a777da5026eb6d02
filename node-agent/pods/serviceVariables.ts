// The variables of services in the environment of a container.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';

const upper = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** Returns the variables of services that have an address and ports. The first port is that of the service. */
export function serviceVariables(services: readonly ObjectOf<'Service'>[]): [name: string, value: string][] {
  return services.flatMap(({ metadata, spec }) => {
    const { clusterIP = 'None', ports = [] } = spec ?? {};
    const [first] = ports;
    if (first === undefined || clusterIP === 'None' || clusterIP === '') return [];
    const base = upper(metadata?.name ?? '');
    const address = ({ protocol = 'TCP', port }: typeof first): string =>
      `${protocol.toLowerCase()}://${clusterIP}:${port}`;
    return [
      [`${base}_SERVICE_HOST`, clusterIP],
      [`${base}_SERVICE_PORT`, String(first.port)],
      ...ports.flatMap(({ name, port }): [string, string][] =>
        name ? [[`${base}_SERVICE_PORT_${upper(name)}`, String(port)]] : [],
      ),
      [`${base}_PORT`, address(first)],
      ...ports.flatMap((each): [string, string][] => {
        const { protocol = 'TCP', port } = each;
        const prefix = `${base}_PORT_${port}_${protocol.toUpperCase()}`;
        return [
          [prefix, address(each)],
          [`${prefix}_PROTO`, protocol.toLowerCase()],
          [`${prefix}_PORT`, String(port)],
          [`${prefix}_ADDR`, clusterIP],
        ];
      }),
    ];
  });
}
