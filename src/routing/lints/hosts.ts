import type { Fault } from '../../api/checks/fault';
import type { Resource } from '../../api/kinds';
import { resourceId } from '../../api/kinds';
import { groupBy } from '../../order';
import type { Scene } from './scene';

interface Host {
  readonly resource: Resource;
  readonly hostname: string;
  readonly path: readonly string[];
}

/** Two gateways under one name would have every service on the same host and path twice. */
export function* hostsDiffer({ fleet }: Scene): Iterable<Fault> {
  const hosts: Host[] = [
    ...fleet.gateways.flatMap((resource) => hostOf(resource, resource.spec.hostname, ['spec', 'hostname'])),
    ...fleet.clusters.flatMap((resource) =>
      hostOf(resource, resource.spec.gateway.hostname, ['spec', 'gateway', 'hostname']),
    ),
  ];
  for (const [hostname, [first, ...others]] of groupBy(hosts, (host) => host.hostname)) {
    for (const { resource, path } of others) {
      yield {
        code: 'duplicate-host',
        resource,
        path,
        what: `the host name '${hostname}' is also that of ${first ? resourceId(first.resource) : ''}`,
        hint: 'Give each its own: a gateway on several clusters is one InferenceGateway',
      };
    }
  }
}

function hostOf(resource: Resource, hostname: string | undefined, path: readonly string[]): Host[] {
  return hostname === undefined ? [] : [{ resource, hostname, path }];
}
