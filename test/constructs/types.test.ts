import { App } from 'cdk8s';
import {
  Fleet,
  type GrantProps,
  InferenceClass,
  InferenceCluster,
  type InferenceClusterProps,
  ModelCache,
  type ModelCacheProps,
  type ModelDeploymentProps,
  type ModelServiceProps,
  type props,
} from '../../constructs/index';

// Checked by `npm run typecheck`: what has to be refused follows `@ts-expect-error`, which fails where nothing is.

const fleet = new Fleet(new App(), 'main');
const image = 'vllm/vllm-openai:v0.23.0';
const template: props.PodTemplate = { spec: { containers: [{ name: 'engine', image }] } };

type Source = InferenceClusterProps['cluster'];
type Provisioning = NonNullable<props.InferenceClassProps['provisioning']>;

function regionOf(cluster: Source): string | undefined {
  return cluster.source === 'GKE' ? cluster.gke.region : cluster.eks?.region;
}

const rows: Record<string, () => unknown> = {
  'the source of a cluster decides which block it has': () => {
    const gke: Source = { source: 'GKE', gke: { region: 'us-central1' } };
    const nebius: Source = { source: 'Nebius', nebius: {} };
    // @ts-expect-error: a cluster of EKS has no block of GKE
    const mixed: Source = { source: 'EKS', gke: { region: 'us-central1' } };
    // @ts-expect-error: nor one besides its own
    const both: Source = { source: 'EKS', eks: { region: 'us-east-1' }, gke: { region: 'us-central1' } };
    // @ts-expect-error: and it needs its own
    const none: Source = { source: 'Existing' };
    // @ts-expect-error: the source itself is required
    const undecided: Source = { gke: { region: 'us-central1' } };
    return [gke, nebius, mixed, both, none, undecided];
  },
  'a program can ask a cluster which source it has': () => {
    return regionOf({ source: 'GKE', gke: { region: 'us-central1' } });
  },
  'the source of a cache decides which block it has': () => {
    const cache: ModelCacheProps = { source: 'HuggingFace', huggingFace: { repo: 'Qwen/Qwen3-8B' }, sizeGiB: 40 };
    // @ts-expect-error: a cache of S3 has no block of Hugging Face
    const mixed: ModelCacheProps = { source: 'S3', huggingFace: { repo: 'Qwen/Qwen3-8B' } };
    // @ts-expect-error: and it needs its own
    return [cache, mixed, () => new ModelCache(fleet, 'none', { source: 'S3', sizeGiB: 40 })];
  },
  'the provider of a class decides which block it has, and both may come from the catalog': () => {
    const gke: Provisioning = { provider: 'GKE', gke: { machineType: 'g2-standard-8' } };
    const named: Provisioning = { provider: 'GKE' };
    const several: Provisioning = { gke: { spot: true }, eks: { spot: true } };
    // @ts-expect-error: a class of EKS has no block of GKE
    const mixed: Provisioning = { provider: 'EKS', gke: { machineType: 'g2-standard-8' } };
    return [gke, named, several, mixed];
  },
  'a list that needs an item is not written empty': () => {
    // @ts-expect-error: a deployment has an engine
    const engines: ModelDeploymentProps = { namespace: 'ml', replicas: 1, engines: [] };
    // @ts-expect-error: an engine has a member
    const members: props.Engine = { name: 'vllm', members: [] };
    // @ts-expect-error: a node selector has a device
    const devices: props.NodeSelector = { devices: [] };
    // @ts-expect-error: a service has an entry
    const endpoints: ModelServiceProps = { endpoints: [] };
    // @ts-expect-error: a grant has a namespace on both sides
    const grant: GrantProps = { from: [], to: [{ kind: 'ModelDeployment' }] };
    return [engines, members, devices, endpoints, grant];
  },
  'a list that needs an item may be computed': () => {
    const engines = ['a', 'b'].map((name) => ({ name, members: [{ template }] }));
    const computed: ModelDeploymentProps = { namespace: 'ml', replicas: 1, engines };
    const images = ['a:1', 'b:1'];
    const mapped: props.Engine = {
      name: 'vllm',
      members: images.map((one) => ({ template: { spec: { containers: [{ name: 'engine', image: one }] } } })),
    };
    const named: readonly string[] = ['h100'];
    return [computed, mapped, { levels: named } satisfies Partial<props.Topology>];
  },
  'the items of a list that needs one are checked': () => {
    // @ts-expect-error: a member has no field of this name
    const typo: props.Engine = { name: 'vllm', members: [{ template, rol: 'Leader' }] };
    // @ts-expect-error: and its role has one of three values
    const value: props.Engine = { name: 'vllm', members: [{ template, role: 'Boss' }] };
    return [typo, value];
  },
  'a function may return an engine with its members': () => {
    const helped = [{ template }].map((member) => ({ name: 'vllm', members: [member] }));
    return (): readonly props.Engine[] => helped;
  },
  'names that are not known are taken as well': () => {
    const from: props.InferenceClassProps['from'] = 'house/h300' as string;
    const region: props.GkeCluster['region'] = 'mars-north1';
    return () => new InferenceClass(fleet, 'h300', { from, devices: [], description: region });
  },
  'editors offer known instance types, regions, device classes and drivers': () => {
    const instanceType: props.KnownInstanceType = 'aws/p5.48xlarge';
    const regions: [props.KnownGkeRegion, props.KnownAwsRegion, props.KnownAzureRegion] = [
      'us-central1',
      'us-east-1',
      'eastus2',
    ];
    const azure: props.AksCluster['location'] = 'mars-north1';
    const deviceClass: props.KnownDeviceClass = 'mig.nvidia.com';
    const driver: props.KnownDriver = 'gpu.nvidia.com';
    // @ts-expect-error: only names of the catalog are known
    const unknown: props.KnownInstanceType = 'aws/p500';
    return [instanceType, regions, azure, deviceClass, driver, unknown];
  },
  'a preset may keep the props of a kind and set some of them': () => {
    type HouseProps = Pick<ModelDeploymentProps, 'replicas'> & { readonly location: props.GkeCluster['region'] };
    return class House extends InferenceCluster {
      constructor(scope: Fleet, id: string, { location }: HouseProps) {
        super(scope, id, { cluster: { source: 'GKE', gke: { region: location } } });
      }
    };
  },
};

test.each(Object.entries(rows))('%s', (_, declare) => {
  expect(declare()).toBeDefined();
});
