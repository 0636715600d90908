import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a control plane is made with. */
export interface Settings {
  /** Where everything of it lies. */
  readonly folder: string;

  /** Of etcd for clients and for peers, the API server, the controllers, the scheduler. */
  readonly ports: readonly number[];

  /** What its one user shows. */
  readonly token: string;

  /** What is off by default and is turned on. Default: nothing. */
  readonly features?: Features | undefined;
}

/** Features of Kubernetes that are off by default. */
export interface Features {
  readonly gates: readonly string[];

  /** The versions of APIs that the API server serves for them. */
  readonly apis: readonly string[];
}

/** Makes the keys and settings that the programs read. The API server makes its own certificate. */
export function makeFiles({ folder, ports, token }: Settings): void {
  for (const name of ['pki', 'log']) mkdirSync(join(folder, name), { mode: 0o700 });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text, { mode: 0o600 });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  write('pki/sa.key', privateKey);
  write('pki/sa.pub', publicKey);
  write('pki/tokens.csv', `${token},admin,admin,"system:masters"\n`);
  write('kubeconfig', JSON.stringify(kubeconfig(folder, ports, token)));
  write('scheduler.yaml', JSON.stringify(schedulerConfiguration(folder)));
}

function kubeconfig(folder: string, ports: readonly number[], token: string): unknown {
  const server = `https://127.0.0.1:${ports[2]}`;
  const cluster = { server, 'certificate-authority': join(folder, 'pki/apiserver.crt') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  };
}

/**
 * The default profile, and one that places pods of KAI in its stead: on the node that has the least CPU left. Only the
 * pause between attempts for one pod is shorter than the default of up to 10 s.
 */
function schedulerConfiguration(folder: string): unknown {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig: join(folder, 'kubeconfig'), qps: 500, burst: 1000 },
    profiles: [{ schedulerName: 'default-scheduler' }, PACKING],
    podInitialBackoffSeconds: 1,
    podMaxBackoffSeconds: 2,
  };
}

const FIT = 'NodeResourcesFit';

/** A profile that packs pods on nodes, and regards nothing else. Scores know CPU, and no devices of claims. */
const PACKING = {
  schedulerName: 'kai-scheduler',
  plugins: { score: { disabled: [{ name: '*' }], enabled: [{ name: FIT }] } },
  pluginConfig: [
    {
      name: FIT,
      args: {
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'NodeResourcesFitArgs',
        scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] },
      },
    },
  ],
};
