import { App, Chart } from 'cdk8s';
import { PersistentVolumeClaim, Secret, ServiceAccount } from 'cdk8s-plus-30';
import { ModelCache } from '../../constructs/index';
import { readProps } from '../../constructs/read-props';
import { smallFleet } from './build';

const app = new App();
const chart = new Chart(app, 'house');
const secret = Secret.fromSecretName(chart, 'secret', 'hf');
const account = ServiceAccount.fromServiceAccountName(chart, 'account', 'reader');
const claim = PersistentVolumeClaim.fromClaimName(chart, 'claim', 'weights');
const fleet = smallFleet(app);

const rows: Record<string, { cache: ModelCache; want: object }> = {
  'a Secret of cdk8s-plus stands for its name': {
    cache: new ModelCache(fleet, 'a', {
      source: 'HuggingFace',
      huggingFace: { repo: 'Qwen/Qwen3-8B', authSecret: { name: secret } },
      sizeGiB: 40,
    }),
    want: { resource: { spec: { huggingFace: { authSecret: { name: 'hf' } } } } },
  },
  'so does a ServiceAccount': {
    cache: new ModelCache(fleet, 'b', {
      source: 'S3',
      s3: { uri: 's3://models/qwen', serviceAccountName: account },
      sizeGiB: 40,
    }),
    want: { resource: { spec: { s3: { serviceAccountName: 'reader' } } } },
  },
  'and a PersistentVolumeClaim': {
    cache: new ModelCache(fleet, 'c', { source: 'ExistingPVC', existingPVC: { claimName: claim } }),
    want: { resource: { spec: { existingPVC: { claimName: 'weights' } } } },
  },
  'an object of another kind is refused': {
    cache: new ModelCache(fleet, 'd', { source: 'ExistingPVC', existingPVC: { claimName: secret } }),
    want: {
      findings: [
        {
          code: 'wrong-reference',
          message: 'Secret hf is not allowed here',
          hint: 'Use a PersistentVolumeClaim or its name',
        },
      ],
    },
  },
};

test.each(Object.entries(rows))('%s', (_, { cache, want }) => {
  expect(readProps(cache)).toMatchObject(want);
});
