import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, byPath, type Doc, parsed } from '../../api/build';

const WHAT =
  'it has no secretRef, so the identity of pods in AWS reads the bucket, and no machine of us is known to be there';

const cases: Record<string, { source?: string; class?: Doc; s3?: Doc; want: string[] }> = {
  'a bucket without keys on a cluster of a data center': { want: [WHAT] },
  'one with keys': { s3: { secretRef: { name: 'bucket' } }, want: [] },
  'one with a service account': { s3: { serviceAccountName: 'reader' }, want: [] },
  'one on machines that several clouds have': { class: { from: 'H200-8x', devices: undefined }, want: [WHAT] },
  'one on machines of its cloud': { class: { from: 'aws/p5.48xlarge', devices: undefined }, want: [] },
  'one of a store of its own': {
    s3: { endpoint: 'https://minio.example.com:9000' },
    class: { from: 'aws/p5.48xlarge', devices: undefined },
    want: [
      'it has no secretRef, so the identity of pods in AWS reads the bucket, which minio.example.com does not know',
    ],
  },
  'one of a store of its own with keys': {
    s3: { endpoint: 'https://minio.example.com', secretRef: { name: 'bucket' } },
    want: [],
  },
  'one at an endpoint of AWS': {
    s3: { endpoint: 'https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com' },
    class: { from: 'aws/p5.48xlarge', devices: undefined },
    want: [],
  },
  'one on a cluster that is created in another cloud': {
    source: 'GKE',
    class: { from: 'gcp/a3-highgpu-8g', devices: undefined },
    want: [WHAT],
  },
  'one on a cluster that is created': {
    source: 'EKS',
    class: { from: 'aws/p5.48xlarge', devices: undefined },
    want: [],
  },
};

test.each(Object.entries(cases))('the identity that reads %s', (_, { source, class: declared = {}, s3, want }) => {
  const cache = { source: 'S3', s3: { uri: 's3://models/q', ...s3 }, sizeGiB: 40 };
  const storage = source === undefined ? { storage: { sharedFilesystem: { storageClassName: 'nfs' } } } : {};
  const fleet = assemble([
    aClass('h100', declared),
    aCluster('us', { ...(source !== undefined && { source }), pools: { h100: 1 }, ...storage }),
    parsed('ModelCache', 'ml/w', cache),
    aDeployment('ml/q', { cache: 'w' }),
  ]);
  const { warnings } = decide(fleet, byPath, EMPTY_LOCK).plan;
  expect(warnings.flatMap(({ code, message }) => (code === 'no-cloud-identity' ? [message] : []))).toEqual(want);
});
