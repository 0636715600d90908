import { App, Chart } from 'cdk8s';
import { ConfigMap, PersistentVolumeClaim, Secret, ServiceAccount } from 'cdk8s-plus-30';
import { Fleet, InferenceGateway, ModelCache, type ModelDeployment, ModelEndpoint } from '../../constructs/index';
import type { PodSpec } from '../../constructs/props/model-deployment';
import { readProps } from '../../constructs/read-props';
import type { ResourceConstruct } from '../../constructs/resource-construct';
import { deployment, engine, smallFleet } from './build';

const app = new App();
const chart = new Chart(app, 'house');
const secret = Secret.fromSecretName(chart, 'secret', 'hf');
const account = ServiceAccount.fromServiceAccountName(chart, 'account', 'reader');
const claim = PersistentVolumeClaim.fromClaimName(chart, 'claim', 'weights');
const settings = ConfigMap.fromConfigMapName(chart, 'settings', 'engine-settings');
const elsewhere = new Secret(new Chart(app, 'elsewhere', { namespace: 'other' }), 'secret', {
  metadata: { name: 'hf' },
});
const fleet = smallFleet(app);

type Container = NonNullable<PodSpec['containers']>[0];

/** A deployment whose pods have these fields, and whose engine has these. */
function podWith(id: string, pod: Partial<PodSpec>, container: Partial<Container> = {}): ModelDeployment {
  const main = engine();
  const [member] = main.members;
  if (!member) throw new Error('an engine has a member');
  const { spec } = member.template;
  const [first] = spec.containers;
  const template = { spec: { ...spec, ...pod, containers: [{ ...first, ...container }] as const } };
  return deployment(fleet, id, { engines: [{ ...main, members: [{ ...member, template }] }] });
}

/** What the resource of such a deployment has. */
function wantPod(spec: object): object {
  return { resource: { spec: { template: { spec: { engines: [{ members: [{ template: { spec } }] }] } } } } };
}

const rows: Record<string, { of: ResourceConstruct; want: object }> = {
  'a Secret of cdk8s-plus stands for its name': {
    of: new ModelCache(fleet, 'a', {
      source: 'HuggingFace',
      huggingFace: { repo: 'Qwen/Qwen3-8B', authSecret: { name: secret } },
      sizeGiB: 40,
    }),
    want: { resource: { spec: { huggingFace: { authSecret: { name: 'hf' } } } } },
  },
  'so does a ServiceAccount': {
    of: new ModelCache(fleet, 'b', {
      source: 'S3',
      s3: { uri: 's3://models/qwen', serviceAccountName: account },
      sizeGiB: 40,
    }),
    want: { resource: { spec: { s3: { serviceAccountName: 'reader' } } } },
  },
  'and a PersistentVolumeClaim': {
    of: new ModelCache(fleet, 'c', { source: 'ExistingPVC', existingPVC: { claimName: claim } }),
    want: { resource: { spec: { existingPVC: { claimName: 'weights' } } } },
  },
  'a ConfigMap stands for its name in a cache': {
    of: new ModelCache(fleet, 'e', { source: 'ConfigMap', content: 'Tokenizer', configMap: { name: settings } }),
    want: { resource: { spec: { configMap: { name: 'engine-settings' } } } },
  },
  'in a volume, a projected volume and variables': {
    of: podWith(
      'f',
      {
        volumes: [
          { name: 'settings', configMap: { name: settings } },
          { name: 'both', projected: { sources: [{ configMap: { name: settings } }, { secret: { name: secret } }] } },
          { name: 'token', secret: { secretName: secret } },
        ],
      },
      {
        env: [
          { name: 'A', valueFrom: { configMapKeyRef: { name: settings, key: 'a' } } },
          { name: 'B', valueFrom: { secretKeyRef: { name: secret, key: 'b' } } },
        ],
        envFrom: [{ configMapRef: { name: settings } }, { secretRef: { name: secret } }],
      },
    ),
    want: wantPod({
      volumes: [
        { configMap: { name: 'engine-settings' } },
        { projected: { sources: [{ configMap: { name: 'engine-settings' } }, { secret: { name: 'hf' } }] } },
        { secret: { secretName: 'hf' } },
      ],
      containers: [
        {
          env: [
            { valueFrom: { configMapKeyRef: { name: 'engine-settings' } } },
            { valueFrom: { secretKeyRef: { name: 'hf' } } },
          ],
          envFrom: [{ configMapRef: { name: 'engine-settings' } }, { secretRef: { name: 'hf' } }],
        },
      ],
    }),
  },
  'and for certificates of an endpoint': {
    of: new ModelEndpoint(fleet, 'g', {
      url: 'https://models.example.com/v1',
      models: ['m'],
      tls: { caRef: { name: settings } },
    }),
    want: { resource: { spec: { tls: { caRef: { name: 'engine-settings' } } } } },
  },
  'a gateway takes the Secret of its certificate': {
    of: new InferenceGateway(fleet, 'h', { hostname: 'models.example.com', tls: { certificateRef: { name: secret } } }),
    want: { resource: { spec: { tls: { certificateRef: { name: 'hf' } } } } },
  },
  'rules for namespaces take the accounts and Secrets that they allow': {
    of: new Fleet(app, 'rules', {
      namespaces: [{ match: ['ml'], serviceAccounts: [account], secrets: [secret, 'hpc-*'] }],
    }),
    want: { resource: { spec: { namespaces: [{ serviceAccounts: ['reader'], secrets: ['hf', 'hpc-*'] }] } } },
  },
  'a ConfigMap is refused where a Secret is asked for': {
    of: podWith('i', { volumes: [{ name: 'token', secret: { secretName: settings } }] }),
    want: {
      findings: [
        {
          code: 'wrong-reference',
          message: 'ConfigMap engine-settings is not allowed here',
          hint: 'Use a Secret or its name',
        },
      ],
    },
  },
  'an object in another namespace is refused': {
    of: podWith('j', { imagePullSecrets: [{ name: elsewhere }] }),
    want: {
      findings: [
        {
          code: 'foreign-reference',
          message: "Secret hf is in namespace 'other', and a reference must be to namespace 'ml'",
          hint: 'Use the same namespace for both',
        },
      ],
    },
  },
  'the objects of an ingress gateway are those where it runs': {
    of: new InferenceGateway(fleet, 'k', {
      hostname: 'models.example.com',
      auth: { apiKeys: [{ name: 'app', secretRef: { name: elsewhere } }] },
    }),
    want: {
      findings: [
        {
          message: "Secret hf is in namespace 'other', and a reference must be to namespace 'fleetwright-system'",
        },
      ],
    },
  },
  'an object of another kind is refused': {
    of: new ModelCache(fleet, 'd', { source: 'ExistingPVC', existingPVC: { claimName: secret } }),
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

test.each(Object.entries(rows))('%s', (_, { of, want }) => {
  expect(readProps(of)).toMatchObject(want);
});
