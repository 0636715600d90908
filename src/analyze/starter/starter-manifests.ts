import { trimTrailing } from '../../base/text';
import { compareText } from '../../base/order';
import { parseResource } from '../../api/kinds';
import { PROVIDER_LABEL } from '../../api/labels';
import { isGated } from '../../catalog/models/gated-models';
import type { ModelRow } from '../../catalog/models/model-row';
import type { Gpu } from '../../catalog/row-types';
import { parseQuantity } from '../../cel/values/quantity';
import { buildGpuDevice } from '../../fleet/hardware/catalogue-devices';
import { BUILT_IN_CATALOGUE } from '../../fleet/hardware/hardware';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { FABRICS } from '../../provision/check-pools';
import { GIB, gpusOf, type Layout } from '../../sizing/weights';
import { isMade, type StarterAnswers } from './starter-answers';
import { declareStarterCluster, STARTER_CLOUDS } from './starter-clouds';
import { chooseStarterPools, contextOf, type StarterPool } from './starter-pools';

/** A document of a new fleet, with the comment above it. */
export interface StarterDocument {
  readonly document: object;
  readonly comment: string;
}

/** The documents of a new fleet, by the name of their file. */
export type StarterManifests = ReadonlyMap<string, readonly StarterDocument[]>;

const API = 'fleetwright.dev/v1alpha1';

/** The engine of new deployments. */
const IMAGE = 'vllm/vllm-openai:v0.23.0';

/** From this compute capability on, GPUs compute in bf16. */
const BF16_CAPABILITY = 8;

/** Where files of the fleet are named later. A name that comes later changes the tags of every cloud resource. */
const FLEET: StarterDocument = {
  document: { apiVersion: API, kind: 'Fleet', metadata: { name: 'models' }, spec: {} },
  comment: [
    "Settings of the whole fleet, such as files of `models` and `prices`: 'fleetwright explain Fleet.spec' lists them.",
    'The name is in the tags of what a stack creates in clouds. Choose it now: another one later recreates nodes on EKS.',
  ].join('\n'),
};

/** The documents of a new fleet: its name, a class for each kind of nodes, a cluster for each cloud, and what to serve. */
export function buildStarterManifests(answers: StarterAnswers): StarterManifests {
  const { clouds, gpus, model } = answers;
  const pools = chooseStarterPools(model, clouds, gpus);
  return new Map([
    ['fleet.yaml', [FLEET]],
    ['classes.yaml', pools.map(classOf)],
    [
      'clusters.yaml',
      [...new Set(clouds)].sort(compareText).map((cloud) =>
        clusterOf(
          pools.filter((pool) => pool.cloud === cloud),
          isMade(answers, cloud),
        ),
      ),
    ],
    ['models.yaml', deploymentsOf(model, pools)],
  ]);
}

function classNameOf({ cloud, gpu }: StarterPool): string {
  return `${cloud}-${gpu}`;
}

/** Names of pools on AKS have at most 12 letters and digits. */
function poolNameOf({ cloud, gpu }: StarterPool): string {
  return cloud === 'aks' ? gpu.replaceAll('-', '').slice(0, 12) : gpu;
}

function classOf(pool: StarterPool): StarterDocument {
  const name = classNameOf(pool);
  const document = { apiVersion: API, kind: 'InferenceClass', metadata: { name } };
  if (pool.cloud !== 'existing') {
    const comment = `Nodes with ${pool.gpu}. 'fleetwright explain class/${name} fleet' shows what \`from\` fills in.`;
    return { document: { ...document, spec: { from: pool.hardware } }, comment };
  }
  const count = pool.layout.tp;
  const declared = { ...document, spec: { devices: [buildGpuDevice(requireGpu(pool.gpu), count)] } };
  const comment = [
    `Nodes with ${count} x ${pool.gpu}, as the DRA driver publishes them. Set \`count\` to what your nodes have, and, so that`,
    "CPU and memory count too, `node.allocatable` to what 'kubectl get nodes -o yaml' reports as allocatable.",
  ].join('\n');
  return { document: shorten(declared), comment };
}

function shorten(document: object): object {
  const parsed = parseResource(document);
  if (!('resource' in parsed)) throw new Error('bug: the class of a new fleet does not parse');
  return toCanonicalDocument(parsed.resource);
}

function requireGpu(name: string): Gpu {
  const gpu = BUILT_IN_CATALOGUE.gpus.get(name);
  if (!gpu) throw new Error(`bug: the catalog has no ${name}`);
  return gpu;
}

function clusterOf(pools: readonly StarterPool[], made: boolean): StarterDocument {
  const [first] = pools;
  if (!first) throw new Error('bug: a cluster of a new fleet has no pool');
  const { labels, spec, zones, comment } = declareStarterCluster(first.cloud, made);
  const nodePools = pools.map((pool) => ({
    name: poolNameOf(pool),
    className: classNameOf(pool),
    nodeCount: pool.layout.nodes,
    ...(zones && { zones }),
    ...(made && fabricOf(pool)),
  }));
  const metadata = { name: STARTER_CLOUDS[first.cloud].cluster, ...(labels && { labels }) };
  const document = { apiVersion: API, kind: 'InferenceCluster', metadata, spec: { ...spec, nodePools } };
  return { document, comment };
}

/** The network for gangs of the machines of a pool, where replicas span its nodes. */
function fabricOf({ cloud, hardware, layout }: StarterPool): { readonly fabric?: object } {
  const { provider } = STARTER_CLOUDS[cloud];
  const type = provider && FABRICS[provider]?.type;
  if (layout.nodes === 1 || type === undefined) return {};
  return BUILT_IN_CATALOGUE.instanceTypes.get(hardware)?.fabric === type ? { fabric: { type } } : {};
}

/** Pools on which the model runs the same way. */
interface Shape {
  readonly gpu: string;
  readonly layout: Layout;
  readonly pools: readonly StarterPool[];
}

/** A deployment for each GPU and layout: no pool is idle. */
function deploymentsOf(model: ModelRow, pools: readonly StarterPool[]): StarterDocument[] {
  const shapes = new Map<string, Shape>();
  for (const pool of pools) {
    const key = JSON.stringify([pool.gpu, pool.layout]);
    const shape = shapes.get(key) ?? { gpu: pool.gpu, layout: pool.layout, pools: [] };
    shapes.set(key, { ...shape, pools: [...shape.pools, pool] });
  }
  const all = [...shapes.values()];
  return all.map((shape) => deploymentOf(model, shape, all));
}

function deploymentOf(model: ModelRow, shape: Shape, all: readonly Shape[]): StarterDocument {
  const { gpu, layout, pools } = shape;
  const clouds = pools.map(({ cloud }) => cloud);
  const shared = all.filter((one) => one.gpu === gpu).length > 1;
  const suffix = [...(all.length > 1 ? [gpu] : []), ...(shared ? clouds : [])].map((part) => `-${part}`).join('');
  const providers = clouds.map((cloud) => STARTER_CLOUDS[cloud].provider ?? 'Existing');
  const selector = { matchExpressions: [{ key: PROVIDER_LABEL, operator: 'In', values: providers }] };
  const template = { spec: { ...(shared && { clusterSelector: selector }), engines: [engineOf(model, shape, all)] } };
  const document = {
    apiVersion: API,
    kind: 'ModelDeployment',
    metadata: { name: deploymentNameOf(model, suffix), namespace: 'ml' },
    spec: { replicas: pools.length, template },
  };
  const size = gpusOf(layout) === 1 ? '1 GPU' : `${gpusOf(layout)} GPUs`;
  const on = layout.nodes > 1 ? ` on ${layout.nodes} nodes` : '';
  const comment = [
    `A replica takes ${size}${on}. \`--max-model-len\` is the most tokens of a request.`,
    `'fleetwright fit ${model.repository} fleet' shows other layouts, and how many requests they hold.`,
    ...(isGated(model.repository)
      ? [
          `${model.repository} is gated: accept its license on Hugging Face, and put a token into the Secret of \`env\`.`,
        ]
      : []),
  ].join('\n');
  return { document, comment };
}

/** Names of deployments are DNS labels, and names of Services derive from them. */
function deploymentNameOf({ repository }: ModelRow, suffix: string): string {
  const short = (repository.split('/').at(-1) ?? repository).toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const label = /^[a-z]/.test(short) ? short : `model-${short}`;
  return `${trimTrailing(label.slice(0, MOST_LETTERS - suffix.length), '-')}${suffix}`;
}

const MOST_LETTERS = 40;

const TOKEN_VARIABLE = { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hugging-face', key: 'HF_TOKEN' } } };

function engineOf(model: ModelRow, shape: Shape, all: readonly Shape[]): object {
  const { gpu, layout } = shape;
  const nodeSelector = { devices: [requestOf(gpu, layout, all)] };
  const member = (args: readonly string[]): object => {
    const env = isGated(model.repository) ? [TOKEN_VARIABLE] : [];
    const container = {
      name: 'engine',
      image: IMAGE,
      ...(args.length > 0 && { args }),
      ...(env.length > 0 && { env }),
    };
    return { nodeSelector, template: { spec: { containers: [container] } } };
  };
  const args = argumentsOf(model, requireGpu(gpu), layout);
  if (layout.nodes === 1) return { name: 'vllm', members: [member(args)] };
  const workers = { role: 'Worker', worker: { nodes: layout.nodes - 1 }, ...member([]) };
  return { name: 'vllm', bootstrap: 'Auto', members: [{ role: 'Leader', ...member(args) }, workers] };
}

/** Requests GPUs by their memory, which is what the model needs. The product distinguishes several kinds. */
function requestOf(gpu: string, { tp }: Layout, all: readonly Shape[]): object {
  const { memory = '0', productName } = requireGpu(gpu);
  const gib = Math.floor(parseQuantity(memory).asApproximateFloat() / GIB);
  const product = all.some((one) => one.gpu !== gpu) ? { productName } : {};
  return { name: 'gpu', count: tp, where: { ...product, memory: `>= ${gib}Gi` } };
}

function argumentsOf(model: ModelRow, gpu: Gpu, { tp, pp, ep }: Layout): string[] {
  const capability = Number.parseFloat(gpu.cudaComputeCapability ?? `${BF16_CAPABILITY}`);
  return [
    model.repository,
    `--max-model-len=${contextOf(model)}`,
    ...(tp > 1 ? [`--tensor-parallel-size=${tp}`] : []),
    ...(pp > 1 ? [`--pipeline-parallel-size=${pp}`] : []),
    ...(ep > 1 ? ['--enable-expert-parallel'] : []),
    ...(capability < BF16_CAPABILITY ? ['--dtype=half'] : []),
  ];
}
