import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, MACHINES } from '../../api/build';

const H100 = aClass('h100', { provisioning: { ...MACHINES.GKE, ...MACHINES.EKS } });

/** An engine of one pod with a volume of a driver. */
function withVolume(driver: string): Doc {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: ['Qwen/Qwen3-8B'] };
  const volumes = [
    { name: 'scratch', emptyDir: {} },
    { name: 'data', csi: { driver, volumeAttributes: { bucketName: 'data' } } },
  ];
  return { name: 'main', members: [aMember({ template: { spec: { containers: [container], volumes } } })] };
}

const BUCKET = 'gcsfuse.csi.storage.gke.io';

interface Row {
  source?: string;
  addons?: Doc;
  driver?: string;

  /** Where the deployment is placed. */
  cluster?: string;
  want: string[];
}

const cases: Record<string, Row> = {
  'needs its driver on GKE, where it is off': {
    want: [
      "ModelDeployment ml/qwen3 spec.template.spec.engines.0.members.0.template.spec.volumes.1.csi.driver: volume 'data' needs gcsfuse.csi.storage.gke.io, which InferenceCluster us does not have. Set 'gcsFuse: true' at spec.cluster.gke.addons of the cluster.",
    ],
  },
  'has it there where it is switched on': { addons: { gcsFuse: true }, want: [] },
  'is that of whoever has a cluster of another kind': { source: 'EKS', want: [] },
  'may be of another driver': { driver: 'secrets-store.csi.k8s.io', want: [] },
  'counts where its deployment is placed': { cluster: 'eu', want: [] },
};

test.each(Object.entries(cases))('a bucket as a volume %s', (_, row) => {
  const { source = 'GKE', addons = {}, driver = BUCKET, cluster = 'us', want } = row;
  const gke = { region: 'us-central1', addons };
  const us = aCluster('us', {
    source,
    labels: { name: 'us' },
    pools: { h100: 1 },
    // Blocks of other sources have no effect.
    cluster: { source, gke, eks: { region: 'us-east-1' } },
  });
  const eu = aCluster('eu', { labels: { name: 'eu' }, pools: { h100: 1 } });
  const deployment = aDeployment('ml/qwen3', {
    engines: [withVolume(driver)],
    clusterSelector: { matchLabels: { name: cluster } },
  });
  const { plan } = decide(assemble([H100, us, eu, deployment]), byPath, EMPTY_LOCK);
  expect(plan.totals).toMatchObject({ place: 1, unplaced: 0 });
  expect(plan.warnings.map(formatDiagnostic)).toEqual(want);
});
