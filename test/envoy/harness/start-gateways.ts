import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { Pickers } from '../engines/start-engines';
import type { Emitted } from '../fleet/emitted';
import { EDGE_HOST, EGRESS_HOST, FLEET_AUTHORITY, FRONT_HOST } from '../fleet/names';
import { issuedCertificates } from '../mapping/issued-certificates';
import { onlyGateway, proxyOf } from '../mapping/only-gateway';
import { readableKinds } from '../mapping/readable-kinds';
import { type PodsOf, servicesAsBackends } from '../mapping/services-as-backends';
import { tablesAsPatches } from '../mapping/tables-as-patches';
import type { Certificate } from './certificates';
import { run } from './commands';
import { Gateway } from './gateway';
import { given } from './given';
import type { Network } from './network';
import type { Tools } from './tools';

/** Where an engine listens. */
interface Address {
  readonly address: string;
  readonly port: number;
}

/** What gateways are started with. */
export interface Ingredients {
  /** The folder of the run. */
  readonly folder: string;
  readonly tools: Tools;
  readonly network: Network;
  readonly certificate: (name: string) => Certificate;
  readonly emitted: Emitted;

  /** Where the engines of each deployment on each cluster listen, by `cluster/deployment`. */
  readonly engines: ReadonlyMap<string, readonly { readonly settings: Address }[]>;
  readonly pickers: Pickers;
}

/** Starts every Gateway of every cluster, each in a network of its own, and gives it its names. */
export async function startGateways(all: Ingredients): Promise<Gateway[]> {
  const { folder, tools, network, emitted } = all;
  const keys = join(folder, 'keys');
  mkdirSync(keys);
  await run(tools.gateway, ['certgen', '--local', '--config-home', keys]);
  const gateways: Gateway[] = [];
  for (const [cluster, manifests] of emitted.clusters) {
    for (const { metadata } of manifests.filter(({ kind }) => kind === 'Gateway')) {
      const node = await network.node();
      nameIt(network, node.address, { cluster, gateway: metadata.name, manifests });
      const name = `${cluster}.${metadata.name}`;
      const mapped = mappedFor(cluster, metadata.name, all);
      const hosts = network.hosts(cluster);
      gateways.push(new Gateway({ name, node, tools, folder, keys, hosts, manifests: mapped }));
    }
  }
  for (const gateway of gateways) gateway.start();
  return gateways;
}

/** What a Gateway reads: our manifests as file mode takes them, and what has to exist beside them. */
export function mappedFor(cluster: string, gateway: string, all: Ingredients): Manifest[] {
  const { emitted, certificate, engines, pickers } = all;
  const manifests = emitted.clusters.get(cluster) ?? [];
  const podsOf: PodsOf = (namespace, service) => {
    const picker = pickers.get(`${cluster}/${service}`);
    if (picker) return [{ address: picker.address, port: picker.port }];
    const { deployment, replica } = emitted.behind(namespace, service) ?? { deployment: service };
    const own = engines.get(`${cluster}/${deployment}`) ?? [];
    const behind = own.filter((_, index) => replica === undefined || replica === index);
    if (behind.length === 0) throw new Error(`nobody serves behind the Service ${namespace}/${service} on ${cluster}`);
    return behind.map(({ settings: { address, port } }) => ({ address, port }));
  };
  const own = tablesAsPatches(readableKinds(onlyGateway(manifests, gateway)), gateway);
  return [
    ...servicesAsBackends(own, podsOf),
    ...issuedCertificates(cluster, manifests, certificate),
    ...given(certificate(FLEET_AUTHORITY).cert),
  ];
}

interface OfCluster {
  readonly cluster: string;
  readonly gateway: string;
  readonly manifests: readonly Manifest[];
}

/** Has the names at which others reach a Gateway lead to it: that of its Service, and that of the declarations. */
function nameIt(network: Network, address: string, { cluster, gateway, manifests }: OfCluster): void {
  const proxy = manifests.find(
    ({ kind, metadata }) => kind === 'EnvoyProxy' && metadata.name === proxyOf(manifests, gateway),
  );
  const provider = (proxy?.spec?.['provider'] ?? {}) as { kubernetes?: { envoyService?: JsonObject } };
  const service = String(provider.kubernetes?.envoyService?.['name']);
  network.name(`${service}.fleetwright-system.svc.cluster.local`, address, cluster);
  network.name(KNOWN_AS[gateway]?.(cluster) ?? FRONT_HOST, address);
}

/** The names of Gateways for everybody. Nobody but callers that are to be refused asks for the egress by its own. */
const KNOWN_AS: Readonly<Record<string, (cluster: string) => string>> = {
  'fleetwright-edge': EDGE_HOST,
  'fleetwright-egress': () => EGRESS_HOST,
};
