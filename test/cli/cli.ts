import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createRecords } from '../../src/cli/kept-records';
import { runCommandLine } from '../../src/cli/run';

/** What a run of the command line printed, with the folder of the test left out. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  stdin?: string;
  terminal?: boolean;
  env?: Record<string, string>;

  /** The folder for records that only save time. */
  records?: string;
}

/** A folder of its own for a test, with the command line to run in it. */
export class Workspace {
  readonly root = mkdtempSync(join(tmpdir(), 'fleetwright-'));

  write(files: Readonly<Record<string, string>>): this {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(path)), { recursive: true });
      writeFileSync(this.path(path), text);
    }
    return this;
  }

  path(path: string): string {
    return join(this.root, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Every file with its content. */
  files(): Record<string, string> {
    const all = readdirSync(this.root, { recursive: true, encoding: 'utf8' }).sort();
    const files = all.filter((path) => statSync(this.path(path)).isFile());
    return Object.fromEntries(files.map((path) => [path, this.read(path)]));
  }

  /** Runs a command that asks no cluster; arguments that start with `./` are paths of the workspace. */
  run(args: string, options: RunOptions = {}): Ran {
    const { code, ran } = this.#start(args, options);
    if (code instanceof Promise) throw new Error(`${args} answers later: use runLive`);
    return ran(code);
  }

  /** As `run`, for commands that ask running clusters. */
  async runLive(args: string, options: RunOptions = {}): Promise<Ran> {
    const { code, ran } = this.#start(args, options);
    return ran(await code);
  }

  #start(args: string, { stdin = '', terminal = false, env = {}, records }: RunOptions) {
    let out = '';
    let err = '';
    const io = {
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
      terminal,
      env,
      stdin: () => stdin,
      records: records === undefined ? undefined : createRecords(this.path(records), () => 'code'),
    };
    const argv = args.split(' ').map((arg) => (arg.startsWith('./') ? this.path(arg.slice(2)) : arg));
    const code = runCommandLine(argv, io, '0.0.0');
    const relative = (text: string): string => text.replaceAll(`${this.root}/`, '').replaceAll(this.root, '.');
    return { code, ran: (code: number): Ran => ({ code, out: relative(out), err: relative(err) }) };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A class, a cluster of two nodes with eight GPUs, and a deployment of one replica of eight GPUs. */
export const SMALL = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata:
  name: h100
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      capacity:
        memory: { value: 81559Mi }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata:
  name: us
spec:
  cluster:
    source: Existing
    existing: { secretRef: { name: us } }
  nodePools:
    - { name: h100, className: h100, nodeCount: 2 }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata:
  name: q
  namespace: ml
spec:
  replicas: 1
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    count: 8
                    selectors:
                      - cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("79Gi")) >= 0
              template:
                spec:
                  containers:
                    - { name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, -tp=8] }
`;
