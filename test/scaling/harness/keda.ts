import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../../kubernetes/harness/built';
import { go, goVersion } from '../../kubernetes/harness/go';
import { Program } from '../../kubernetes/harness/program';
import { BUILDS, KEDA_MODULE } from './paths';

/** The version of KEDA that the module pins. */
export const KEDA =
  /github\.com\/kedacore\/keda\/v2 (v\S+)/.exec(readFileSync(join(KEDA_MODULE, 'go.mod'), 'utf8'))?.[1] ?? '';

const FLAGS = ['-trimpath', '-ldflags=-s -w', '-gcflags=all=-dwarf=false'];
const PROGRAMS = ['operator', 'adapter'] as const;

/** The folder with the operator and the metrics server of KEDA. */
export async function kedaPrograms(): Promise<string> {
  const version = goVersion(KEDA_MODULE, 'KEDA');
  return built({
    name: 'keda',
    what: `KEDA ${KEDA} with Go ${version}`,
    cache: BUILDS,
    module: KEDA_MODULE,
    inputs: [version, ...FLAGS],
    into: async (target) => {
      const packages = PROGRAMS.map((name) => `github.com/kedacore/keda/v2/cmd/${name}`);
      await go(['build', ...FLAGS, '-o', `${target}/`, ...packages], { cwd: KEDA_MODULE });
    },
  });
}

/** The name by which the metrics server knows the operator, which is that of their certificate. */
const AUTHORITY = 'keda-operator.keda.svc';

interface KedaSettings {
  readonly programs: string;
  readonly kubeconfig: string;
  readonly folder: string;

  /** Of the service of metrics, of probes, of the metrics server, and of metrics of that server. */
  readonly ports: readonly number[];
}

/** All namespaces, and that of KEDA. */
const VARIABLES = ['WATCH_NAMESPACE=', 'POD_NAMESPACE=keda', 'KEDA_CLUSTER_OBJECT_NAMESPACE=keda'];

/** Starts the operator and the metrics server, which listen on loopback. */
export function startKeda({ programs, kubeconfig, folder, ports }: KedaSettings): Program[] {
  const [service, probes, server, own] = ports;
  const certificates = join(folder, CERTIFICATES);
  const log = (name: string): string => join(folder, `${name}.log`);
  const operator = [
    `--kubeconfig=${kubeconfig}`,
    `--cert-dir=${certificates}`,
    `--metrics-service-bind-address=127.0.0.1:${service}`,
    `--health-probe-bind-address=127.0.0.1:${probes}`,
    '--enable-prometheus-metrics=false',
  ];
  const adapter = [
    `--kubeconfig=${kubeconfig}`,
    ...['authentication', 'authorization', 'lister'].map((use) => `--${use}-kubeconfig=${kubeconfig}`),
    `--cert-dir=${certificates}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${server}`,
    `--port=${own}`,
    `--metrics-service-address=127.0.0.1:${service}`,
    `--metrics-service-grpc-authority=${AUTHORITY}`,
    '--authentication-tolerate-lookup-failure=true',
  ];
  const run = (name: (typeof PROGRAMS)[number], args: readonly string[]) =>
    new Program(`KEDA=${name}`, '/usr/bin/env', [...VARIABLES, join(programs, name), ...args], log(name));
  return [run('operator', operator), run('adapter', adapter)];
}

const CERTIFICATES = 'certificates';

/** Makes the certificate with which both programs know each other, and returns the path of its authority. */
export function makeCertificates(folder: string): string {
  const target = join(folder, CERTIFICATES);
  mkdirSync(target, { mode: 0o700 });
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: target, stdio: 'ignore' });
  const uses = ['basicConstraints=critical,CA:TRUE', 'extendedKeyUsage=serverAuth,clientAuth'];
  const names = `subjectAltName=DNS:${AUTHORITY}`;
  const extensions = [...uses, names].flatMap((one) => ['-addext', one]);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'tls.key'];
  openssl('req', '-x509', ...key, '-out', 'tls.crt', '-days', '2', '-subj', `/CN=${AUTHORITY}`, ...extensions);
  openssl('x509', '-in', 'tls.crt', '-out', 'ca.crt');
  return join(target, 'ca.crt');
}
