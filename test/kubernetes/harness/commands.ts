import { join } from 'node:path';
import type { Features, Settings } from './files';

/** How many ports a control plane needs. */
export const PORTS = 5;

/** The arguments of each program. Everything listens on loopback only. */
export const COMMANDS: Readonly<Record<string, (settings: Settings) => string[]>> = {
  etcd: ({ folder, ports: [clients, peers] }) => [
    `--data-dir=${join(folder, 'etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=http://127.0.0.1:${clients}`,
    `--advertise-client-urls=http://127.0.0.1:${clients}`,
    `--listen-peer-urls=http://127.0.0.1:${peers}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peers}`,
    `--initial-cluster=default=http://127.0.0.1:${peers}`,
    '--log-level=warn',
  ],

  'kube-apiserver': ({ folder, ports: [etcd, , port], features }) => [
    ...gatesOf(features),
    ...(features ? [`--runtime-config=${features.apis.map((api) => `${api}=true`).join()}`] : []),
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'pki')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'pki/sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'pki/sa.key')}`,
    `--token-auth-file=${join(folder, 'pki/tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--endpoint-reconciler-type=none',
    // It would taint every new node until a controller that needs a kubelet finds it ready.
    '--disable-admission-plugins=TaintNodesByCondition',
    '--profiling=false',
  ],

  'kube-controller-manager': ({ folder, ports: [, , , port], features }) => [
    ...gatesOf(features),
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'pki/controllers')}`,
    '--leader-elect=false',
    // Without kubelets no node would stay healthy.
    '--controllers=*,-node-lifecycle-controller',
    `--service-account-private-key-file=${join(folder, 'pki/sa.key')}`,
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ],

  'kube-scheduler': ({ folder, ports: [, , , , port], features }) => [
    ...gatesOf(features),
    `--config=${join(folder, 'scheduler.yaml')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'pki/scheduler')}`,
  ],
};

function gatesOf(features: Features | undefined): string[] {
  return features ? [`--feature-gates=${features.gates.map((gate) => `${gate}=true`).join()}`] : [];
}
