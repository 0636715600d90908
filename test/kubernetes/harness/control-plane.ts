import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client';
import { type Features, makeFiles, type Settings } from './files';
import { kubeplane } from './kubeplane';
import { CACHE } from './paths';
import { freePorts } from './ports';
import { learnKinds } from './resources';
import { Program, ProgramEnded } from './program';
import { COMMANDS, PORTS } from './commands';
import { SetupError } from './setup-error';
import { atEnd } from './shutdown';

/** A Kubernetes control plane on loopback: etcd, API server, controllers and scheduler. */
export interface ControlPlane {
  readonly client: Client;

  /** The path of a kubeconfig for it, whose one context is `local`. */
  readonly kubeconfig: string;
  readonly programs: readonly Program[];

  /** Rejects when one of the programs ends by itself. */
  readonly failure: Promise<never>;

  /** Stops all programs and removes their files. Keeps the logs where `failed` is true, and returns their folder. */
  stop(failed?: boolean): Promise<string | undefined>;
}

const ATTEMPTS = 3;

interface StartOptions {
  /** Finds ports that are free now. Another program may still be faster: it is asked again then. */
  readonly pickPorts?: (count: number) => Promise<readonly number[]>;

  /** Whether controllers and scheduler run, or etcd and the API server alone. Default: true. */
  readonly daemons?: boolean;

  /** What is off by default and is turned on. Default: nothing. */
  readonly features?: Features | undefined;
}

/** Starts a control plane and waits until it answers. */
export async function startControlPlane(options: StartOptions = {}): Promise<ControlPlane> {
  const { pickPorts = freePorts, daemons = true, features } = options;
  const binary = await kubeplane();
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(binary, { ports: await pickPorts(PORTS), features }, daemons);
    } catch (error) {
      if (!(error instanceof ProgramEnded) || !error.portTaken) throw error;
      if (attempt < ATTEMPTS) continue;
      throw new SetupError(`${error.program.name} found its port taken ${ATTEMPTS} times. Run again.`);
    }
  }
}

async function start(
  binary: string,
  wanted: Pick<Settings, 'ports' | 'features'>,
  daemons: boolean,
): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-kubernetes-'));
  const forget = atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const settings: Settings = { folder, ...wanted, token: randomBytes(24).toString('hex') };
  const programs: Program[] = [];
  const stop = async (failed = false): Promise<string | undefined> => {
    await Promise.all(programs.map((program) => program.stop()));
    const kept = failed ? keepLogs(folder) : undefined;
    rmSync(folder, { recursive: true, force: true });
    forget();
    return kept;
  };
  try {
    makeFiles(settings);
    for (const name of ['etcd', 'kube-apiserver']) programs.push(launch(name, binary, settings));
    const client = await ready(settings, programs);
    await learnKinds(client);
    for (const name of daemons ? ['kube-controller-manager', 'kube-scheduler'] : []) {
      programs.push(launch(name, binary, settings));
    }
    return { client, kubeconfig: join(folder, 'kubeconfig'), programs, failure: failureOf(programs), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch(name: string, binary: string, settings: Settings): Program {
  return new Program(name, binary, COMMANDS[name]!(settings), join(settings.folder, 'log', `${name}.log`));
}

/** How long the API server may take to be ready. It takes 4 s on an idle machine. */
const READY = 180_000;

/** Waits for the certificate that the API server makes for itself, then for its word that it is ready. */
async function ready(settings: Settings, programs: readonly Program[]): Promise<Client> {
  const failure = failureOf(programs);
  const certificate = join(settings.folder, 'pki/apiserver.crt');
  const deadline = Date.now() + READY;
  while (Date.now() < deadline) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 50)), failure]);
    if (!existsSync(certificate)) continue;
    const client = new Client(settings, readFileSync(certificate, 'utf8'));
    const answer = await client.get('/readyz').catch(() => undefined);
    if (answer?.status === 200) return client;
  }
  throw new SetupError(`the API server was not ready within ${READY / 1000} s:\n${programs.at(-1)?.tail()}`);
}

function failureOf(programs: readonly Program[]): Promise<never> {
  const failure = Promise.race(
    programs.map(async ({ ended }): Promise<never> => {
      await ended;
      return new Promise<never>(() => {});
    }),
  );
  failure.catch(() => {});
  return failure;
}

function keepLogs(folder: string): string {
  const kept = join(CACHE, 'logs-of-failed-run');
  rmSync(kept, { recursive: true, force: true });
  cpSync(join(folder, 'log'), kept, { recursive: true });
  return kept;
}
