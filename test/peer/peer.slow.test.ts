import { jsonSchemaOf } from '../../src/api/json-schema';
import { KINDS } from '../../src/api/kind-table';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { type Ran, Workspace } from '../cli/cli';
import { fieldsOf, unusedChoices } from './schema-use';
import { DECLARED, declared, type Deployment, FILES, objectsIn } from './set';

let work: Workspace;
let plan: {
  totals: Record<string, number>;
  warnings: unknown[];
  notes: string[];
  missingRoutes?: { services: string[]; lines: string };
};
let synth: Ran;
let rendered: Manifest[];
beforeAll(() => {
  work = new Workspace().write(FILES);
  plan = JSON.parse(work.run('plan ./fleet --json').out);
  synth = work.run('synth ./fleet --ephemeral --out ./out');
  const written = Object.entries(work.files()).filter(([path]) => /^out\/.*\.yaml$/.test(path));
  rendered = objectsIn<Manifest>(written.map(([, text]) => text));
});
afterAll(() => work.remove());

const deployments = declared<Deployment>('ModelDeployment');

describe('manifests of the alias group, as they are,', () => {
  test('load without a problem', () => {
    const { code, out, err } = work.run('validate ./fleet');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `${DECLARED.length} resources in fleet: all valid.`,
      expect.stringMatching(/^warning: fleet\/large-models\.yaml:134:27: one request of 131,072 tokens/),
      expect.stringMatching(/^warning: fleet\/large-models\.yaml:149:37: one request of 131,072 tokens/),
      expect.stringMatching(/^warning: fleet\/small-models\.yaml:95:41: one request of 131,072 tokens/),
      expect.stringMatching(/^warning: fleet\/caches\.yaml:11:15: revision 'main' can change/),
      expect.stringMatching(/^warning: fleet\/caches\.yaml:27:3: the default branch can change/),
      expect.stringMatching(/^warning: fleet\/caches\.yaml:39:3: the default branch can change/),
      expect.stringMatching(/^warning: fleet\/clusters\.yaml:167:10: the stack Dynamo is not available/),
      expect.stringMatching(/^warning: fleet\/services\.yaml:46:9: ModelService ml-team\/chat, .* without routes/),
      expect.stringMatching(/^warning: fleet\/services\.yaml:56:7: entries above this one select everything/),
      expect.stringMatching(/^note: ignored 14 documents /),
      expect.stringMatching(
        /^note: The memory and parallelism of engines are not checked for .* Similar names there: .*zai-org\/GLM-5, /,
      ),
      expect.stringMatching(
        /^note: Costs leave out rack\/hall-1, .* price\.perHour of the InferenceClasses eks-l4, gke-l4, rack-h100, /,
      ),
      expect.stringMatching(
        /^note: Costs of eks-us-east\/l4, .* are estimates, .* price\.perHour of the InferenceClasses eks-l4, eks-p5en, /,
      ),
      '',
    ]);
  });

  test('get a place for every replica, with no warning but for routes, revisions that may move, an entry without replicas and the stack Dynamo', () => {
    const replicas = deployments.reduce((sum, { spec }) => sum + spec.replicas, 0);
    expect(plan.totals).toMatchObject({ place: replicas, unplaced: 0, accepted: 0 });
    expect(new Set((plan.warnings as { code: string }[]).map(({ code }) => code))).toEqual(
      // Each cluster has one replica of llama-3-8b, with index 0: the first entry of service chat has them all.
      new Set(['long-context', 'missing-routes', 'no-dynamo', 'shadowed-entry', 'unpinned-revision']),
    );
  });

  test('get routes for every service by one block that plan prints at its top, once it is in the folder', () => {
    const services = declared('ModelService').map(({ metadata }) => metadata);
    const { lines = '', services: missing } = plan.missingRoutes ?? {};
    expect(missing).toEqual(services.map(({ namespace, name }) => `ModelService ${namespace}/${name}`).sort());
    const [first, second] = work.run('plan ./fleet').out.split('\n\n');
    expect(first).toMatch(/^Fleet /);
    expect(second).toMatch(/^warning: ModelService ml-team\/chat, .* without routes\./);
    expect(work.run('plan ./fleet').out).toContain(`\n\n${lines}\n`);
    const own = new Workspace().write({ ...FILES, 'fleet/routes.yaml': lines });
    const routed = JSON.parse(own.run('plan ./fleet --json').out);
    expect(routed).not.toHaveProperty('missingRoutes');
    expect(routed.services.map(({ name }: { name: string }) => name).sort()).toEqual(
      services.map(({ name }) => name).sort(),
    );
    expect(routed.totals).toEqual(plan.totals);
    own.remove();
  });

  test('become manifests of every deployment', () => {
    expect(synth).toMatchObject({ code: 0, err: '' });
    const names = new Set(rendered.map(({ metadata }) => metadata.labels['fleetwright.dev/deployment']));
    expect([...names].filter(Boolean).sort()).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
  });

  test('are reported what of them has no manifests yet, and what was left alone, a line each', () => {
    expect(plan.notes).toEqual([
      'ignored 14 documents that Fleetwright does not read: 2 apps/v1 Deployment, ' +
        ['AKS', 'EKS', 'GKE', 'Nebius']
          .map((cloud) => `1 infrastructure.modelplane.ai/v1alpha1 ${cloud}Cluster, `)
          .join('') +
        '2 infrastructure.modelplane.ai/v1alpha1 ServingStack, ' +
        '1 infrastructure.modelplane.ai/v1alpha1 VultrCluster, 1 modelplane.ai/v1alpha1 ModelReplica, ' +
        '1 monitoring.coreos.com/v1 PodMonitor, 1 pkg.crossplane.io/v1 Configuration, 1 v1 ConfigMap, 1 v1 Secret',
      expect.stringMatching(/^The memory and parallelism of engines are not checked for Qwen\/Qwen3-Coder-FP8, /),
      expect.stringMatching(/^InferenceCluster \S+: only a Cloud of a Pulumi program .* source: Nebius\. /),
      expect.stringMatching(/^InferenceCluster \S+: only a Cloud of a Pulumi program .* source: Vultr\. /),
      'At least 1 node always runs in eks-us-east/l4, because the autoscaler of AWS does not know the devices of a pool without nodes.',
      expect.stringMatching(
        /^AKS has the Kubernetes version of aks-us-east, aks-west-europe with long-term support only/,
      ),
      expect.stringMatching(/^For InfiniBand in aks-west-europe\/h100, register the feature AKSInfinibandSupport /),
      expect.stringMatching(/^Azure must grant these vCPUs in eastus: 48 of 'StandardNCADSA100v4Family'/),
      expect.stringMatching(/^Azure must grant these vCPUs in westeurope: .*192 of 'standardNDSH100v5Family'/),
      'ModelCache ml-team/coder-weights is staged on eks-us-east, 1,100 GiB. On eks-us-east, EFS grows with its files.',
      expect.stringContaining('ModelCache ml-team/kimi-weights is staged on aks-us-east, aks-west-europe, '),
      expect.stringContaining('On aks-west-europe, Azure Files (premium) makes 100 GiB of it.'),
    ]);
  });

  test('give a plan that changes nothing once it is accepted', () => {
    const own = new Workspace().write(FILES);
    expect(own.run('lock ./fleet --quiet')).toMatchObject({ code: 0, err: '' });
    expect(own.run('plan ./fleet --detailed-exitcode --quiet')).toMatchObject({
      code: 0,
      out: 'Total: 14 keep their places.\n',
    });
    own.remove();
  });
});

/** Fields of ours, which no one has who comes from the alias group. */
const OURS = [
  'InferenceClass spec.counterSets',
  'InferenceClass spec.devices[].allowMultipleAllocations',
  'InferenceClass spec.devices[].capacity[].requestPolicy',
  'InferenceClass spec.devices[].counterSet',
  'InferenceClass spec.devices[].extendedResource',
  'InferenceClass spec.devices[].placements',
  'InferenceClass spec.from',
  'InferenceClass spec.node',
  'InferenceClass spec.price',
  'InferenceClass spec.provisioning.aks.capacityReservationGroup',
  'InferenceClass spec.provisioning.aks.spot',
  'InferenceClass spec.provisioning.eks.amiType',
  'InferenceClass spec.provisioning.eks.placementGroup',
  'InferenceClass spec.provisioning.eks.spot',
  'InferenceClass spec.provisioning.gke.compactPlacement',
  'InferenceClass spec.provisioning.gke.driver',
  'InferenceClass spec.provisioning.gke.fabric',
  'InferenceClass spec.provisioning.gke.flexStart',
  'InferenceClass spec.provisioning.gke.localSsd',
  'InferenceClass spec.provisioning.gke.reservation',
  'InferenceClass spec.provisioning.gke.spot',
  'InferenceCluster spec.backend',
  'InferenceCluster spec.cluster.aks.admins',
  'InferenceCluster spec.cluster.custom',
  'InferenceCluster spec.cluster.eks.admins',
  'InferenceCluster spec.cluster.eks.zones',
  'InferenceCluster spec.cluster.existing.context',
  'InferenceCluster spec.cluster.existing.kubernetesVersion',
  'InferenceCluster spec.cluster.gke.addons',
  'InferenceCluster spec.cluster.gke.zone',
  'InferenceCluster spec.deletionProtection',
  'InferenceCluster spec.dra',
  'InferenceCluster spec.gateway',
  'InferenceCluster spec.mirror',
  'InferenceCluster spec.monitoring',
  'InferenceCluster spec.namespaces',
  'InferenceCluster spec.network',
  'InferenceCluster spec.nodePools[].labels',
  'InferenceCluster spec.nodePools[].overprovision',
  'InferenceCluster spec.nodePools[].packing',
  'InferenceCluster spec.nodePools[].rack',
  'InferenceCluster spec.nodePools[].reserved',
  'InferenceCluster spec.nodePools[].taints',
  'InferenceCluster spec.nodePools[].topology',
  'InferenceCluster spec.nodePools[].tpuTopology',
  'InferenceCluster spec.paused',
  'InferenceCluster spec.poolLabel',
  'InferenceCluster spec.scheduler',
  'InferenceCluster spec.servingStack',
  'InferenceCluster spec.storage',
  'InferenceGateway spec.auth',
  'InferenceGateway spec.clusters',
  'InferenceGateway spec.dns',
  'InferenceGateway spec.hostname',
  'InferenceGateway spec.maxRequestBody',
  'InferenceGateway spec.public',
  'InferenceGateway spec.rateLimits',
  'InferenceGateway spec.timeouts',
  'InferenceGateway spec.tls',
  'ModelCache spec.azureBlob',
  'ModelCache spec.blockDevice',
  'ModelCache spec.configMap',
  'ModelCache spec.content',
  'ModelCache spec.exclude',
  'ModelCache spec.existingPVC',
  'ModelCache spec.gcs',
  'ModelCache spec.http',
  'ModelCache spec.include',
  'ModelCache spec.inline',
  'ModelCache spec.mountPath',
  'ModelCache spec.oci',
  'ModelCache spec.s3',
  'ModelCache spec.sizeGiB',
  'ModelCache spec.stage',
  'ModelCache spec.storage',
  'ModelCache spec.verify',
  'ModelDeployment spec.allowPartial',
  'ModelDeployment spec.externalEndpoints',
  'ModelDeployment spec.minAvailable',
  'ModelDeployment spec.model',
  'ModelDeployment spec.paused',
  'ModelDeployment spec.placement',
  'ModelDeployment spec.priority',
  'ModelDeployment spec.rollout',
  'ModelDeployment spec.template.spec.clusterSelector.matchExpressions',
  'ModelDeployment spec.template.spec.engines[].bootstrap',
  'ModelDeployment spec.template.spec.engines[].drain',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.constraints',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].allocationMode',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].capacity',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].config',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].firstAvailable',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].tolerations',
  'ModelDeployment spec.template.spec.engines[].members[].nodeSelector.devices[].where',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.affinity',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.automountServiceAccountToken',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].envFrom',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].imagePullPolicy',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].lifecycle',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].livenessProbe',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].readinessProbe',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].resources',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].securityContext',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].startupProbe',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].volumeMounts',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.containers[].workingDir',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.hostAliases',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.initContainers',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.priorityClassName',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.runtimeClassName',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.schedulerName',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.securityContext',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.serviceAccountName',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.terminationGracePeriodSeconds',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.topologySpreadConstraints',
  'ModelDeployment spec.template.spec.engines[].members[].template.spec.volumes',
  'ModelDeployment spec.template.spec.engines[].requires',
  'ModelDeployment spec.template.spec.engines[].runtime',
  'ModelDeployment spec.template.spec.engines[].scaling',
  'ModelDeployment spec.template.spec.engines[].startup',
  'ModelDeployment spec.template.spec.healthCheck',
  'ModelDeployment spec.template.spec.loraAdapters',
  'ModelDeployment spec.template.spec.modelDefinition',
  'ModelDeployment spec.template.spec.networkPolicy',
  'ModelEndpoint spec.credential',
  'ModelEndpoint spec.inside',
  'ModelEndpoint spec.model',
  'ModelEndpoint spec.models',
  'ModelEndpoint spec.provider',
  'ModelEndpoint spec.timeouts',
  'ModelEndpoint spec.tls',
  'ModelService spec.auth',
  'ModelService spec.endpoints[].match',
  'ModelService spec.endpoints[].tier',
  'ModelService spec.externalEndpoints',
  'ModelService spec.failureDomains',
  'ModelService spec.maxShareChange',
  'ModelService spec.picker',
  'ModelService spec.rateLimits',
  'ModelService spec.servedModelName',
  'ModelService spec.sessionAffinity',
  'ModelService spec.slo',
  'ModelService spec.timeouts',
  'ModelService spec.webSocket',
];

/** Choices of a field of the peer's that are ours alone. */
const OUR_CHOICES = [
  'GKE | EKS | AKS | Nebius | Vultr | Custom | Existing: Custom',
  ...['S3', 'GCS', 'AzureBlob', 'HTTP', 'ExistingPVC', 'OCI', 'ConfigMap', 'Inline'].map(
    (source) => `HuggingFace | S3 | GCS | AzureBlob | HTTP | ExistingPVC | OCI | ConfigMap | Inline: ${source}`,
  ),
  'Prefill | Decode | Frontend: Frontend',
];

describe('the set', () => {
  const kinds = KINDS.filter(({ groups }) => groups.includes('modelplane.ai'));
  const specs = kinds.flatMap(({ kind, document }) => {
    const objects = declared(kind).map(({ spec }) => ({ spec }));
    const { spec } = jsonSchemaOf({ kind, document })['properties'] as { spec: object };
    return fieldsOf({ properties: { spec } }, objects).map((field) => ({
      ...field,
      path: `${kind} ${field.path}`,
    }));
  });

  test('uses every field of every kind but those of ours', () => {
    const unused = specs.filter(({ values }) => values.length === 0).map(({ path }) => path);
    expect(unused.sort()).toEqual(OURS);
  });

  test('makes every choice that a field offers but those of ours', () => {
    expect(unusedChoices(specs)).toEqual(OUR_CHOICES);
  });

  test('has everything that a cluster writes into metadata', () => {
    const namespaced = kinds.find(({ scope }) => scope === 'Namespaced')!;
    const { metadata } = jsonSchemaOf(namespaced)['properties'] as { metadata: object };
    const fields = fieldsOf({ properties: { metadata } }, DECLARED);
    expect(fields.filter(({ values }) => values.length === 0)).toEqual([]);
    expect(fields.length).toBeGreaterThan(10);
  });
});
