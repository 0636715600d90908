import { App } from 'cdk8s';
import {
  Fleet,
  InferenceClass,
  InferenceCluster,
  type InferenceClusterProps,
  ModelCache,
  type ModelCacheProps,
  ModelDeployment,
  type ModelDeploymentProps,
  type props,
} from '../../constructs/index';
import { engine } from './build';

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
  'a deployment has an engine': () => {
    const one: ModelDeploymentProps = { namespace: 'ml', replicas: 1, engines: [engine()] };
    // @ts-expect-error: an empty list is no list of engines
    const none: ModelDeploymentProps = { namespace: 'ml', replicas: 1, engines: [] };
    const [first, ...others] = ['a', 'b'].map((name): props.Engine => ({ name, members: [{ template }] }));
    const computed = (): ModelDeployment | undefined =>
      first && new ModelDeployment(fleet, 'computed', { replicas: 1, engines: [first, ...others] });
    return [one, none, computed];
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
