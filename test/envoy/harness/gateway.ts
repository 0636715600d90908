import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocuments } from '../../../src/manifest/format-yaml';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { signal, track } from '../../kubernetes/harness/shutdown';
import type { Node } from './network';
import { ENVOY, type Tools } from './tools';

/** Go collects garbage a quarter as often as by default, and more often before a gateway takes too much memory. */
const ENVIRONMENT = { GOGC: '400', GOMEMLIMIT: '1GiB', ...process.env };

/** What a gateway is made with. */
export interface GatewaySettings {
  readonly name: string;
  readonly node: Node;
  readonly tools: Tools;

  /** The folder of the run. */
  readonly folder: string;

  /** Keys with which Envoy Gateway and Envoy know each other. */
  readonly keys: string;

  /** The table of names of its cluster. */
  readonly hosts: string;
  readonly manifests: readonly Manifest[];
}

const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

/** One Gateway as a cluster runs it: Envoy Gateway and the Envoy that it configures, in a network of their own. */
export class Gateway {
  readonly name: string;
  #child: ChildProcess | undefined;

  constructor(readonly settings: GatewaySettings) {
    this.name = settings.name;
  }

  get log(): string {
    return join(this.settings.folder, 'log', `${this.name}.log`);
  }

  start(): void {
    const { folder, name, node, tools, keys, hosts, manifests } = this.settings;
    const home = join(folder, name);
    rmSync(home, { recursive: true, force: true });
    for (const part of ['resources', 'config', `data/envoy-versions/${ENVOY}/bin`, 'state', 'run']) {
      mkdirSync(join(home, part), { recursive: true });
    }
    mkdirSync(join(folder, 'log'), { recursive: true });
    cpSync(join(keys, 'certs'), join(home, 'config/certs'), { recursive: true });
    // Says which Envoy is chosen, so that nothing is looked up or downloaded.
    writeFileSync(join(home, 'config/envoy-version'), ENVOY);
    // Envoys of one machine keep memory by number.
    const wrapper = `#!/bin/sh\nexec ${tools.envoy} --base-id ${node.number} "$@"\n`;
    writeFileSync(join(home, `data/envoy-versions/${ENVOY}/bin/envoy`), wrapper, { mode: 0o755 });
    writeFileSync(join(home, 'gateway.json'), JSON.stringify(configuration(home)));
    this.read(manifests);
    const output = openSync(this.log, 'a');
    const program = [tools.gateway, 'server', '--config-path', join(home, 'gateway.json')];
    // Processes of its own, so that its Envoy ends with it, and names of its own.
    const own = ['unshare', '--pid', '--fork', '--kill-child', '--mount', 'sh', '-c', WITH_HOSTS, hosts];
    const [first = '', ...rest] = [...node.enter, ...own, ...program];
    this.#child = spawn(first, rest, { detached: true, env: ENVIRONMENT, stdio: ['ignore', output, output] });
    closeSync(output);
    track(this.#child);
  }

  /** Has it read other manifests, in one step. */
  read(manifests: readonly Manifest[]): void {
    const home = join(this.settings.folder, this.name);
    writeFileSync(join(home, 'all.yaml'), formatDocuments(manifests, ''));
    renameSync(join(home, 'all.yaml'), join(home, 'resources/all.yaml'));
  }

  /** Ends it at once, with all connections. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    signal(child, 'SIGKILL');
    await gone;
  }

  /** What its log says went wrong when it read the manifests. Empty: nothing. */
  complaints(): string[] {
    const log = readFileSync(this.log, 'utf8');
    const unread = /\terror\t.*(?:failed to (?:re)?load resources|failed to run envoy).*"error": "(.*)"\}/.exec(log);
    return [
      ...(unread ? [`${this.name}: ${unread[1]}`] : []),
      ...refusedStatuses(log).map((one) => `${this.name}: ${one}`),
    ];
  }

  /** The last warnings and errors of its log. */
  tail(lines = 10): string {
    const log = readFileSync(this.log, 'utf8').trim().split('\n');
    return log
      .filter((line) => /\t(?:warn|error)\t|\]\[(?:warning|error|critical)\]/.test(line))
      .slice(-lines)
      .map((line) => line.slice(0, 300))
      .join('\n');
  }
}

/** Conditions that say no, but for those that only a cluster can fulfil: an address of a load balancer. */
function refusedStatuses(log: string): string[] {
  const last = new Map<string, string>();
  for (const [, kind = '', text = '', key = ''] of log.matchAll(/Got new status for (\w+)\n([\s\S]*?)\n\t(\{.*\})/g)) {
    last.set(`${kind} ${(JSON.parse(key) as { key: string }).key}`, text);
  }
  return [...last].flatMap(([what, text]) =>
    text
      .split(/\n(?=\s*- lastTransitionTime)/)
      .filter((condition) => /status: "False"/.test(condition) && !/AddressNotAssigned/.test(condition))
      .map((condition) => `${what} ${(/message: (.*)/.exec(condition)?.[1] ?? condition).trim()}`),
  );
}

function configuration(home: string): unknown {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyGateway',
    gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
    provider: {
      type: 'Custom',
      custom: {
        resource: { type: 'File', file: { paths: [join(home, 'resources')] } },
        infrastructure: {
          type: 'Host',
          host: {
            configHome: join(home, 'config'),
            dataHome: join(home, 'data'),
            stateHome: join(home, 'state'),
            runtimeDir: join(home, 'run'),
          },
        },
      },
    },
    // The conditions of objects are nowhere but in the log.
    logging: { level: { default: 'info' } },
    extensionApis: { enableBackend: true, enableEnvoyPatchPolicy: true, enableLua: true },
  };
}
