import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';
import { ended } from '../../envoy/harness/commands';
import type { Node } from '../../envoy/harness/network';
import { sleep } from '../../kubernetes/harness/concurrently';
import { signal, track } from '../../kubernetes/harness/shutdown';
import { until } from '../../kubernetes/harness/until';

/** What the emitted workload says about its container, as far as a kubelet acts on it. */
interface Container {
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { sleep?: { seconds: number }; exec?: { command: string[] } } };
}

interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

/** What a pod is started with. */
export interface PodSettings {
  readonly workload: Manifest;
  readonly node: Node;
  readonly server: string;

  /** The folder that is mounted at `/mnt/models`. */
  readonly models: string;
  readonly log: string;
}

/** How a pod ended. */
export interface Removal {
  /** How long the hook took before the signal, in seconds. */
  readonly hook: number;

  /** The exit code. Null: it did not end within its time and was killed. */
  readonly code: number | null;
}

/** Mounts of its own, as a container has, with the volume of the models. */
const WITH_MODELS = 'mount -t tmpfs none /mnt && mkdir /mnt/models && mount --bind "$0" /mnt/models && exec "$@"';

/** The variables of the image of llama.cpp. */
const IMAGE = { LLAMA_ARG_HOST: '0.0.0.0' };

/** One pod of an emitted workload: its engine in a network of its own, and what a kubelet does with it. */
export class Pod {
  readonly settings: { readonly address: string; readonly port: number };
  readonly container: Container;
  readonly #grace: number;
  #child: ChildProcess | undefined;

  constructor(readonly own: PodSettings) {
    const { spec } = (own.workload.spec?.['template'] ?? {}) as { spec: JsonObject };
    this.container = (spec['containers'] as unknown as Container[])[0]!;
    this.#grace = Number(spec['terminationGracePeriodSeconds']);
    this.settings = { address: own.node.address, port: this.container.ports[0]?.containerPort ?? 0 };
  }

  start(): void {
    const { node, server, models, log } = this.own;
    const output = openSync(log, 'a');
    const command = [...node.enter, 'unshare', '--mount', 'sh', '-c', WITH_MODELS, models, server];
    const [first = '', ...rest] = [...command, ...this.container.args];
    const env = { ...process.env, ...IMAGE };
    this.#child = spawn(first, rest, { detached: true, stdio: ['ignore', output, output], env });
    closeSync(output);
    track(this.#child);
  }

  /** Asks for the readiness of its probe until that is good, and returns all answers in order. */
  async ready(): Promise<(number | undefined)[]> {
    const { startupProbe, readinessProbe } = this.container;
    const answers: (number | undefined)[] = [];
    const patience = startupProbe.periodSeconds * startupProbe.failureThreshold * 1000;
    const good = async (): Promise<boolean> => {
      answers.push((await this.ask(readinessProbe.httpGet.path)).status);
      return answers.at(-1) === 200 || this.#child?.exitCode !== null;
    };
    await until('an engine is ready', good, patience);
    if (answers.at(-1) !== 200) throw new Error(`the engine ended:\n${this.tail()}`);
    return answers;
  }

  /** Asks the engine itself, as a kubelet and Prometheus do. */
  ask(path: string): Promise<{ status: number | undefined; body: string }> {
    const { address, port } = this.settings;
    return new Promise((resolve) => {
      const request = get({ host: address, port, path, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (part: string) => (body += part));
        response.on('end', () => resolve({ status: response.statusCode, body }));
        response.on('error', () => resolve({ status: undefined, body }));
      });
      request.on('error', () => resolve({ status: undefined, body: '' }));
    });
  }

  /** Ends it as a kubelet does: the hook, the signal, and force when its time is over. */
  async remove(): Promise<Removal> {
    const child = this.#child!;
    const over = sleep(this.#grace * 1000).then(() => signal(child, 'SIGKILL'));
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const { preStop } = this.container.lifecycle;
    const start = Date.now();
    if (preStop.sleep) await sleep(preStop.sleep.seconds * 1000);
    if (preStop.exec) {
      const [first = '', ...rest] = [...this.own.node.enter, ...preStop.exec.command];
      await Promise.race([ended(first, rest), over]);
    }
    const hook = (Date.now() - start) / 1000;
    signal(child, 'SIGTERM');
    return { hook, code: await gone };
  }

  /** The last lines of its log. */
  tail(): string {
    return readFileSync(this.own.log, 'utf8').trim().split('\n').slice(-8).join('\n');
  }
}
