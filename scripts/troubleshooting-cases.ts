/** A message that users meet: how it comes about, and what to do. The text of the message is that of the product. */
export interface TroubleshootingCase {
  /** The fleet that is edited: an example, or the small fleet of the page. */
  readonly example?: string;

  /** Texts of the fleet that are replaced, each once. */
  readonly edits: Readonly<Record<string, string>>;

  /**
   * The commands that lead to the message. The last one prints it.
   *
   * @default - `validate`
   */
  readonly commands?: readonly string[];

  /** A part of the line with the message, which no rewording removes: a name, or a number. */
  readonly from: string;
  readonly cause: string;
  readonly remedy: string;
}

/** A class, a cluster and a deployment. */
export const SMALL_FLEET = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 2
      attributes:
        productName: { string: NVIDIA L4 }
        architecture: { string: Ada Lovelace }
      capacity:
        memory: { value: 23034Mi }
---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata: { name: lab }
spec:
  cluster: { source: Existing, existing: { context: lab } }
  nodePools:
    - { name: l4, className: l4, nodeCount: 2 }
---
apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: qwen3-8b, namespace: ml }
spec:
  replicas: 2
  template:
    spec:
      engines:
        - name: vllm
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    where: { memory: ">= 22Gi" }
              template:
                spec:
                  containers:
                    - { name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, --max-model-len=8192] }
`;

const GATE = ['plan fleet --against HEAD --allow-dirty --gate'];

export const TROUBLESHOOTING: Readonly<Record<string, readonly TroubleshootingCase[]>> = {
  Declarations: [
    {
      edits: { nodeCount: 'nodeCuont' },
      from: 'nodeCuont',
      cause: 'The kind has no field of this name.',
      remedy:
        'Use the name that the message suggests. `fleetwright explain InferenceCluster.spec.nodePools` lists the fields of an object. An editor with the [schema line](commands.md#editors) marks such names while you type.',
    },
    {
      edits: { 'kind: ModelDeployment': 'kind: ModelDeploymnet' },
      from: 'ModelDeploymnet',
      cause: 'The API group is that of Fleetwright, and the kind does not exist in it.',
      remedy: 'Correct the name. The reference lists [all kinds](concepts.md#the-fleet).',
    },
    {
      edits: { 'className: l4': 'className: l40' },
      from: 'l40',
      cause: 'A pool names an InferenceClass that no file of the folder declares.',
      remedy: 'Correct the name, or add the class. Check that `DIR` is the folder with all files of the fleet.',
    },
    {
      edits: { '">= 22Gi"': '">= 22"' },
      from: "'22'",
      cause: 'Kubernetes reads an amount without a unit as bytes.',
      remedy: 'Add the unit: `Mi`, `Gi`.',
    },
    {
      edits: { 'value: 23034Mi': 'value: 22GB' },
      from: '22GB',
      cause: 'Kubernetes writes amounts of memory as `22Gi` or `22G`.',
      remedy: 'Write `Gi` for multiples of 1,024, and `G` for multiples of 1,000.',
    },
    {
      edits: { 'nodeCount: 2 }': 'nodeCount: 2' },
      commands: ['plan fleet'],
      from: 'is refused',
      cause:
        'The file is not YAML, so any resource could be in it. If git has the file, and it declares only deployments, caches, services, endpoints and grants, these [stay as in the last commit](teams.md#one-teams-error), and other teams go on. Otherwise every command refuses the whole fleet.',
      remedy:
        'Correct the line. To go on without the change, restore the file: `git checkout COMMIT -- fleet/fleet.yaml`. Do not remove the file: that deletes what it declares.',
    },
  ],
  'Engines and models': [
    {
      edits: { 'Qwen/Qwen3-8B, ': '' },
      from: 'facebook/opt-125m',
      cause: 'No argument of the engine names a model, and no cache does. vLLM then serves its own default.',
      remedy: 'Name the model as the first argument, or set `modelCacheRef`.',
    },
    {
      edits: { '--max-model-len=8192': '--max-model-len=40000' },
      from: '40,000',
      cause: 'The weights and one request of the greatest length do not fit into the memory of the GPUs together.',
      remedy:
        'Lower `--max-model-len`, or ask for more or larger GPUs. `fleetwright fit Qwen/Qwen3-8B fleet` lists layouts that fit.',
    },
    {
      edits: { 'vllm/vllm-openai:v0.23.0': 'registry.example.com/server:1' },
      from: 'registry.example.com/server:1',
      cause:
        'Fleetwright finds the health check, the port and the environment of an engine by its runtime, and the runtime by the name of the image. This image has another name.',
      remedy:
        'Set `runtime` on the engine if it is one of [these](engines.md). Otherwise set `healthCheck.path` of the deployment.',
    },
  ],
  'Selecting devices': [
    {
      edits: { 'memory: ">= 22Gi"': 'archtecture: Hopper' },
      from: 'archtecture',
      cause: 'The driver of the device publishes no attribute or capacity of this name.',
      remedy: 'Use a name that the driver publishes: see [Selecting devices](selectors.md#where).',
    },
    {
      edits: { 'memory: ">= 22Gi"': 'architecture: Hoper' },
      from: "'Hoper'. Did",
      cause: 'No known GPU has this value. The selector is correct, and it matches nothing.',
      remedy: 'Use the value that the message suggests.',
    },
    {
      edits: { '">= 22Gi"': '">= 24Gi"' },
      from: 'NVIDIA L4 publishes',
      cause: 'A GPU publishes less memory than the number in its name: an L4 of 24 GB has 23034Mi.',
      remedy: 'Ask for what the device publishes. `fleetwright catalog l4` prints it.',
    },
  ],
  'Plan and lock': [
    {
      edits: { 'replicas: 2': 'replicas: 5' },
      commands: ['plan fleet'],
      from: '! 1 replica',
      cause: 'No cluster has a place for the replica. The lines below the message name each pool, and what it lacks.',
      remedy: 'Do what `cheapest` says, or choose another remedy: see [Make room](how-to/make-room.md).',
    },
    {
      edits: {},
      commands: ['synth fleet --out manifests'],
      from: 'fleet.lock.yaml',
      cause: 'You have not accepted a plan yet.',
      remedy: 'Run `fleetwright plan fleet`, then `fleetwright lock fleet`, and commit the lock file.',
    },
    {
      edits: { 'replicas: 2': 'replicas: 1' },
      example: 'canary',
      commands: ['lock fleet --check'],
      from: 'fleet.lock.yaml',
      cause:
        'A declaration changed after the lock was written. In CI: the author did not run `fleetwright lock`, or the target branch changed in between.',
      remedy: 'Merge the target branch, run `fleetwright lock fleet`, and commit the lock file.',
    },
    {
      edits: { 'replicas: 2': 'replicas: 1' },
      example: 'canary',
      commands: ['plan fleet --against HEAD'],
      from: 'HEAD',
      cause: 'The comparison is between commits, and files of the folder are not committed.',
      remedy: 'Commit them. To look at an edit before you commit it, add `--allow-dirty`.',
    },
    {
      edits: { 'replicas: 2': 'replicas: 0' },
      example: 'canary',
      commands: ['lock fleet'],
      from: '--accept-removals',
      cause: 'The change removes more than half of the replicas. A file that is missing looks the same.',
      remedy: 'If you mean it, add `--accept-removals`. Otherwise look for the file that is missing.',
    },
  ],
  'The gate': [
    {
      example: 'canary',
      edits: { 'selector: { matchLabels: { track: stable } }': 'selector: { matchLabels: { track: stabel } }' },
      commands: GATE,
      from: 'refused:',
      cause:
        'The label selector of an entry matches no deployment and no endpoint. All requests would go to the other entries.',
      remedy: 'Correct the label. `template.metadata.labels` of the deployment has it.',
    },
    {
      example: 'canary',
      edits: {
        'Qwen3-8B-AWQ, --served-model-name=qwen3-8b, --max-model-len=16384':
          'Qwen3-8B-AWQ, --served-model-name=qwen3-8b, --max-model-len=8192',
      },
      commands: GATE,
      from: 'refused:',
      cause:
        'The deployment has one replica, and the engine restarts for the change. Its clients get errors until it serves again.',
      remedy:
        'Set `rollout: { surge: 1 }` where the pool has room for a second copy. Or add a replica in a change of its own, and make this change after the new replica serves: a new replica does not count for the change that adds it. Or accept downtime with `rollout: Recreate`.',
    },
  ],
};
