import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYMENT_LABEL } from '../../../src/api/labels';
import { type Emitted, emitted } from '../../envoy/fleet/emitted';
import { EAST, FRONT_HOST, PUBLIC_AUTHORITY, USER_KEY } from '../../envoy/fleet/names';
import { makeCertificates } from '../../envoy/harness/certificates';
import type { Gateway } from '../../envoy/harness/gateway';
import { WANTED } from '../../envoy/harness/given';
import { Network } from '../../envoy/harness/network';
import { type Ingredients, mappedFor, startGateways } from '../../envoy/harness/start-gateways';
import type { Tools } from '../../envoy/harness/tools';
import { askedOfIssuers } from '../../envoy/mapping/issued-certificates';
import type { Ask } from '../../envoy/traffic/ask';
import { asker } from '../../envoy/traffic/asker';
import { HERE, MODELS, SERVER } from './engine-build';
import { Pod } from './pod';

/** Real engines behind real gateways. */
export interface Site {
  /** Asks at the public address, with a key. */
  readonly ask: Ask;

  /** The copies that the manifests ask for. None is started. */
  readonly pods: readonly Pod[];
  readonly gateways: readonly Gateway[];

  /** Has requests go to these copies only, as the endpoints of their Service do. */
  readonly serve: (pods: readonly Pod[]) => void;
}

const DEPLOYMENT = 'llama';
const PLACE = `${EAST}/${DEPLOYMENT}`;

/** Starts the gateways. Their only engine is the first copy. */
export async function openSite(folder: string, tools: Tools, engine: string): Promise<Site> {
  const fleet = emitted(join(HERE, 'fleet'));
  const network = new Network(folder);
  const asked = [...fleet.clusters].flatMap(([cluster, manifests]) => askedOfIssuers(cluster, manifests));
  const certificate = await makeCertificates(tools.certificates, join(folder, 'certificates'), [...WANTED, ...asked]);
  const pods = await podsOf(fleet, { network, folder, engine });
  const gatewaysOf = (serving: readonly Pod[]): Ingredients => {
    return {
      folder,
      tools,
      network,
      certificate,
      emitted: fleet,
      engines: new Map([[PLACE, serving]]),
      pickers: new Map(),
    };
  };
  const gateways = await startGateways(gatewaysOf(pods.slice(0, 1)));
  const askBare = asker({ host: FRONT_HOST, port: 443, ca: certificate(PUBLIC_AUTHORITY).cert });
  return {
    ask: (question) => askBare({ ...question, headers: { authorization: `Bearer ${USER_KEY}`, ...question.headers } }),
    pods,
    gateways,
    serve: (serving) => {
      for (const gateway of gateways) gateway.read(mappedFor(EAST, nameOf(gateway), gatewaysOf(serving)));
    },
  };
}

/** The name of a Gateway on its cluster. */
function nameOf({ name }: Gateway): string {
  return name.slice(EAST.length + 1);
}

interface Placed {
  readonly network: Network;
  readonly folder: string;
  readonly engine: string;
}

async function podsOf({ clusters }: Emitted, { network, folder, engine }: Placed): Promise<Pod[]> {
  const workload = clusters
    .get(EAST)
    ?.find(({ kind, metadata }) => kind === 'Deployment' && metadata.labels[DEPLOYMENT_LABEL] === DEPLOYMENT);
  if (!workload) throw new Error('the fleet has no engine');
  mkdirSync(join(folder, 'log'), { recursive: true });
  const pods: Pod[] = [];
  for (let copy = 0; copy < Number(workload.spec?.['replicas']); copy++) {
    const node = await network.node();
    const log = join(folder, 'log', `engine-${copy}.log`);
    pods.push(new Pod({ workload, node, server: join(engine, SERVER), models: join(engine, MODELS), log }));
  }
  return pods;
}
