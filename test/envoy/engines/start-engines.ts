import { PROVIDERS } from '../fleet/names';
import type { Certificate } from '../harness/certificates';
import type { Network } from '../harness/network';
import type { Emitted } from '../fleet/emitted';
import { Engine } from './engine';
import { Picker } from './picker';

/** The engines of each deployment on each cluster, by `cluster/deployment`. */
export type Engines = ReadonlyMap<string, readonly Engine[]>;

/** Starts an engine for every replica, ready, at an address of its own as a pod has. */
export async function startEngines(network: Network, { replicas }: Emitted): Promise<Engines> {
  const engines = new Map<string, Engine[]>();
  for (const { cluster, deployment, models } of replicas) {
    const place = `${cluster}/${deployment}`;
    const before = engines.get(place) ?? [];
    const address = network.address();
    const engine = new Engine({ name: `${place}/${before.length}`, address, port: 8000, models });
    await engine.start();
    engines.set(place, [...before, engine]);
  }
  return engines;
}

/** Endpoint pickers, by `cluster/Service`. */
export type Pickers = ReadonlyMap<string, Picker>;

/**
 * Starts an endpoint picker for every one that is emitted. It picks a pod by the beginning of the first message, and so
 * the same one for the same beginning.
 */
export async function startPickers(network: Network, { pickers }: Emitted, engines: Engines): Promise<Pickers> {
  const started = new Map<string, Picker>();
  for (const { cluster, deployment, service, port } of pickers) {
    const pods = engines.get(`${cluster}/${deployment}`) ?? [];
    const picker = new Picker(network.address(), port, (body) => {
      const { settings } = pods[beginningOf(body) % pods.length] ?? {};
      return settings ? `${settings.address}:${settings.port}` : '';
    });
    await picker.start();
    started.set(`${cluster}/${service}`, picker);
  }
  return started;
}

/** The number with which the first message of a request begins. */
function beginningOf(body: string): number {
  return Number(/"content":"(\d+)/.exec(body)?.[1] ?? 0);
}

/** Starts the servers outside the fleet under their real names. */
export async function startProviders(
  network: Network,
  certificate: (name: string) => Certificate,
): Promise<ReadonlyMap<string, Engine>> {
  const providers = new Map<string, Engine>();
  for (const [host, { credential, model }] of Object.entries(PROVIDERS)) {
    const address = network.address();
    network.name(host, address);
    const secrets = { tls: certificate(host), authorization: credential };
    const engine = new Engine({ name: host, address, port: 443, models: [model], ...secrets });
    await engine.start();
    providers.set(host, engine);
  }
  return providers;
}
