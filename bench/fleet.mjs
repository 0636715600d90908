/** Device classes of the fleet: five kinds of GPU, each in a machine of four and of eight, with a price by the GPU. */
const GPUS = [
  { name: 'l4', perHour: 0.71, architecture: 'Ada Lovelace', memory: '23034Mi' },
  { name: 'l40s', perHour: 1.86, architecture: 'Ada Lovelace', memory: '46068Mi' },
  { name: 'a100', perHour: 3.4, architecture: 'Ampere', memory: '81920Mi' },
  { name: 'h100', perHour: 6.88, architecture: 'Hopper', memory: '81559Mi' },
  { name: 'h200', perHour: 7.91, architecture: 'Hopper', memory: '143771Mi' },
];
const MACHINES = [4, 8];
const CLASSES = GPUS.flatMap((gpu) => MACHINES.map((count) => ({ ...gpu, count })));

/** What pods ask for: five selectors by four counts make twenty shapes. */
const SELECTORS = GPUS.map(
  ({ architecture, memory }) =>
    `device.attributes["gpu.nvidia.com"].architecture == "${architecture}" && ` +
    `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${memory}")) >= 0`,
);
const COUNTS = [1, 2, 4, 8];
const SHAPES = SELECTORS.flatMap((selector) => COUNTS.map((count) => ({ selector, count })));

/** Models that the catalogue has, and a directory, of which nothing is known. */
const MODELS = {
  one: ['Qwen/Qwen3-8B'],
  many: [
    'Qwen/Qwen3-8B',
    'Qwen/Qwen3-4B',
    'Qwen/Qwen3-1.7B',
    'deepseek-ai/DeepSeek-R1-Distill-Llama-8B',
    'mistralai/Mistral-7B-Instruct-v0.3',
  ],
  none: ['/models/unknown'],
};

/** Sizes whose deployments name a model in place of engines. */
const CHOSEN = 'chosen';

/** A selector that no device matches. */
const NOWHERE = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("1Ti")) >= 0';

/**
 * The manifests of a fleet, as files: one for the classes, one a cluster, one a hundred deployments.
 *
 * @param size `clusters`, `pools` of each, `nodes` of each pool, `deployments`, `replicas` of each; `edited` asks
 * for one device more or fewer in the first deployment, `nowhere` adds a deployment that fits nowhere, `models` is `one`,
 * `many` or `none` that sizing knows, or `chosen`: the many in place of engines
 */
export function manifests({
  clusters,
  pools,
  nodes,
  deployments,
  replicas,
  edited = false,
  nowhere = false,
  models = 'one',
}) {
  const texts = range(deployments).map((i) =>
    models === CHOSEN ? chosenText(i, replicas) : deploymentText(i, replicas, edited && i === 0, MODELS[models]),
  );
  if (nowhere) {
    const request = { selector: NOWHERE, count: 8, model: MODELS.one[0] };
    texts.push(document('ModelDeployment', 'nowhere', demand(1, request), 'ml'));
  }
  return [
    { path: 'classes.yaml', text: CLASSES.map(classText).join('---\n') },
    ...range(clusters).map((i) => ({
      path: `clusters/${number(i)}.yaml`,
      text: clusterText(i, pools, nodes),
    })),
    ...range(Math.ceil(texts.length / 100)).map((i) => ({
      path: `deployments/${number(i)}.yaml`,
      text: texts.slice(i * 100, (i + 1) * 100).join('---\n'),
    })),
  ];
}

function classText({ name, architecture, memory, count, perHour }) {
  return document(
    'InferenceClass',
    `${name}-${count}`,
    `  price: { perHour: ${perHour * count}, asOf: 2026-10-31 }
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: ${count}
      attributes:
        architecture: { string: ${architecture} }
        cudaComputeCapability: { version: 9.0.0 }
      capacity:
        memory: { value: ${memory} }
`,
  );
}

function clusterText(i, pools, nodes) {
  const list = range(pools).map((p) => {
    const { name, count } = CLASSES[(i + p) % CLASSES.length];
    return `    - { name: pool-${p}, className: ${name}-${count}, nodeCount: ${nodes} }\n`;
  });
  return document(
    'InferenceCluster',
    `cluster-${number(i)}`,
    `  cluster:
    source: Existing
    existing: { secretRef: { name: kubeconfig } }
  nodePools:
${list.join('')}`,
  );
}

function deploymentText(i, replicas, edited, models) {
  const context = models === MODELS.many ? contextOf(i) : 8192;
  const shape = { ...SHAPES[i % SHAPES.length], model: models[i % models.length], context };
  const spec = demand(replicas, edited ? { ...shape, count: shape.count + 1 } : shape);
  return document('ModelDeployment', `model-${number(i)}`, spec, `team-${i % 50}`);
}

/** A model in place of engines, on the classes of one kind of GPU. */
function chosenText(i, replicas) {
  const { name } = GPUS[i % GPUS.length];
  const classes = MACHINES.map((count) => `${name}-${count}`).join(', ');
  const repository = MODELS.many[i % MODELS.many.length];
  const spec = `  replicas: ${replicas}
  model: { repository: ${repository}, context: ${contextOf(i)}, hardware: [${classes}] }
`;
  return document('ModelDeployment', `model-${number(i)}`, spec, `team-${i % 50}`);
}

function contextOf(i) {
  return 4096 + (i % 32) * 128;
}

function demand(replicas, { selector, count, model, context = 8192 }) {
  return `  replicas: ${replicas}
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    count: ${count}
                    selectors: [{ cel: '${selector}' }]
              template:
                spec:
                  containers:
                    - name: engine
                      image: vllm/vllm-openai:v0.11.0
                      args: [${model}, --tensor-parallel-size, "${count}", --max-model-len=${context}]
`;
}

function document(kind, name, spec, namespace) {
  const place = namespace ? `  namespace: ${namespace}\n` : '';
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${place}spec:\n${spec}`;
}

function range(count) {
  return Array.from({ length: count }, (_, i) => i);
}

/** Padded, so that names sort by number. */
function number(i) {
  return String(i).padStart(5, '0');
}
