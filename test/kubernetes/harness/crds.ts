import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INFERENCE_POOL_CRD } from '../../../src/provision/releases/inference-pool';
import { type Client, ok } from './client';
import { go } from './go';
import { CACHE, CRDS } from './paths';
import { until } from './until';

interface Module {
  readonly path: string;
  readonly version: string;
  /** What Go computes over its files, so that nothing else is ever read. */
  readonly sum: string;
  readonly folder: string;
}

/** Go modules that bring the CRDs of what a cluster runs beside us. */
const MODULES: readonly Module[] = [
  {
    path: 'sigs.k8s.io/gateway-api',
    version: 'v1.6.3',
    sum: 'h1:lKpJa5bGlraC/QeACvCpsHLdmO6y0iKfzVl6gzaFEYc=',
    folder: 'config/crd/standard',
  },
  {
    path: 'github.com/envoyproxy/gateway',
    version: 'v1.9.1',
    sum: 'h1:vAVp6/AlBXJ1aOhp1mxL7fNEzVEfjADUguUhm2wzxQY=',
    folder: 'charts/gateway-helm/charts/crds/crds/generated',
  },
  {
    path: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
    folder: 'config/crd/bases',
  },
  {
    path: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    folder: 'example/prometheus-operator-crd',
  },
  {
    path: 'github.com/cert-manager/cert-manager',
    version: 'v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
    folder: 'deploy/crds',
  },
];

/** A CustomResourceDefinition as text, and where it is from. */
export interface Crd {
  readonly from: string;
  readonly text: string;
}

/** The one that is ours. JSON is YAML. */
const OURS: Crd = { from: 'the serving stack', text: JSON.stringify(INFERENCE_POOL_CRD) };

/** All CRDs of the tests. Where several sources define one, ours comes before a pinned module, and that before the folder. */
export async function findCrds(): Promise<Crd[]> {
  const modules = await Promise.all(MODULES.map(fromModule));
  const byName = new Map<string, Crd>();
  for (const crd of [OURS, ...modules.flat(), ...storedCrds()]) {
    const name = nameOf(crd);
    if (!byName.has(name)) byName.set(name, crd);
  }
  return [...byName.values()];
}

/** The CRDs of kinds that no Go module brings: those of gangs and queues are among them. */
export function storedCrds(): Crd[] {
  return crdsIn(CRDS, 'test/crds');
}

/** Read from the text, because parsing 70 definitions takes seconds. JSON has the name of ours. */
function nameOf(crd: Crd): string {
  if (crd === OURS) return INFERENCE_POOL_CRD.metadata.name;
  const name = /^ {2}name: ["']?([^\s"']+)/m.exec(crd.text)?.[1];
  if (name === undefined) throw new Error(`a CRD from ${crd.from} has no name`);
  return name;
}

async function fromModule({ path, version, sum, folder }: Module): Promise<Crd[]> {
  mkdirSync(CACHE, { recursive: true });
  const text = await go(['mod', 'download', '-json', `${path}@${version}`], { cwd: CACHE });
  const found = JSON.parse(text) as { Dir: string; Sum: string };
  if (found.Sum !== sum) throw new Error(`${path} ${version} has the sum ${found.Sum}, not ${sum}`);
  return crdsIn(join(found.Dir, folder), path);
}

function crdsIn(folder: string, from: string): Crd[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split(/^---.*$/m))
    .filter((text) => /^kind: CustomResourceDefinition$/m.test(text))
    .map((text) => ({ from, text }));
}

/** Creates CRDs, each as the text that it is, and waits until the API server serves all of them. */
export async function installCrds(client: Client, crds: readonly Crd[]): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const { text, from } of crds) {
    const type = 'application/yaml';
    const answer = await client.send('POST', `${path}?fieldValidation=Strict`, { body: text, type });
    // There already: it was made in a request that got no answer in time.
    if (answer.status !== 409) ok(answer, `a CRD from ${from}`);
  }
  await until('all CRDs are served', async () => {
    const { body } = await client.get<{ items: { status?: { conditions?: Condition[] } }[] }>(path);
    return body.items.length >= crds.length && body.items.every(({ status }) => established(status));
  });
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

function established(status: { conditions?: readonly Condition[] } | undefined): boolean {
  return (status?.conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}
