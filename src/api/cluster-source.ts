import { z } from 'zod';
import { PROVIDER_BLOCK, PROVIDERS } from './providers';
import { missingField } from './reading/common-findings';
import { fields } from './reading/fields';
import { rules } from './reading/rule';
import type { Finding } from './resource';
import { chosenBlock } from './shared/chosen-block';
import { formed, objectName, text } from './shared/names';
import { secretKey } from './shared/secret-key';

/** Where clusters come from: a cloud that makes them, or a kubeconfig. */
export const SOURCES = [...PROVIDERS, 'Existing'] as const;

/** Where a cluster comes from. */
export type Source = (typeof SOURCES)[number];

const SOURCE_BLOCK = { ...PROVIDER_BLOCK, Existing: 'existing' } as const satisfies Record<Source, string>;

const credentials = fields({
  type: z
    .enum(['ProviderConfig', 'ClusterProviderConfig'])
    .default('ClusterProviderConfig')
    .describe('The kind of object. Default: ClusterProviderConfig.'),
  name: objectName.default('default').describe('The name of the object. Default: default.'),
})
  .optional()
  .describe(
    'The credentials of a control plane that makes the cluster. Read and not used: Pulumi has its own.',
  );

function kubernetesVersion(version: string) {
  return text(32).default(version).describe(`The Kubernetes version. Default: ${version}.`);
}

const region = text(32).describe('The region of the cloud.');

const gkeAddons = fields({
  persistentDisk: z
    .boolean()
    .default(true)
    .describe(
      'Whether there is the driver of Persistent Disk: volumes for one node at a time, as charts ask for. Caches do not need it. Default: true.',
    ),
  gcsFuse: z
    .boolean()
    .default(false)
    .describe(
      'Whether there is the driver of Cloud Storage FUSE: buckets as csi volumes of pods with the annotation gke-gcsfuse/volumes: "true". It grants nothing: each bucket has to let the service account of the pods read it, as workload identity names it. No ModelCache uses it. Default: false.',
    ),
})
  .prefault({})
  .describe('The drivers of volumes that GKE brings, beside that of Filestore, which is always there.');

const gke = fields({
  region,
  zone: text(63)
    .optional()
    .describe('The one zone of the control plane: us-central1-a. Default: all of the region.'),
  kubernetesVersion: kubernetesVersion('1.35'),
  addons: gkeAddons,
  credentials,
});
const principal = formed({
  noun: 'a role or user of IAM',
  code: 'bad-name',
  pattern: /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/,
  max: 2048,
  hint: "Write its ARN, as in 'arn:aws:iam::111122223333:role/deploy'",
});
const eks = fields({
  region,
  zones: z
    .array(text(63))
    .max(8)
    .optional()
    .describe(
      'The zones of the control plane, of the nodes for the cluster itself and of the way out, two at least: us-east-1a. AWS lets none of them change. Default: those of the pools when it is made, and others where they are fewer than two.',
    ),
  kubernetesVersion: kubernetesVersion('1.36'),
  admins: z
    .array(principal)
    .max(64)
    .default([])
    .describe(
      'The ARNs of roles and users of IAM that may do anything on the cluster, beside whoever makes it. Default: none.',
    ),
  credentials,
});
const aks = fields({ location: region, kubernetesVersion: kubernetesVersion('1.34'), credentials });
const nebius = fields({ kubernetesVersion: kubernetesVersion('1.34'), credentials });
const vultr = fields({ region, kubernetesVersion: kubernetesVersion('v1.36.1+3'), credentials });

const IDENTITIES = [
  'GoogleApplicationCredentials',
  'AWSWebIdentityCredentials',
  'NebiusServiceAccountCredentials',
] as const;

/** Without either, whatever kubeconfig is at hand would decide which cluster is meant. */
function* reachable({ secretRef, context }: { secretRef?: unknown; context?: unknown }): Iterable<Finding> {
  if (secretRef !== undefined || context !== undefined) return;
  yield missingField(['secretRef'], "Or set 'context' to a context of your kubeconfig file");
}

const existing = fields({
  secretRef: secretKey('kubeconfig')
    .optional()
    .describe('The Secret that holds the kubeconfig. Default key: kubeconfig.'),
  context: text(253)
    .optional()
    .describe('The context of a kubeconfig: of that of the Secret, else of the file of whoever applies.'),
  identitySecretRef: secretKey('private_key')
    .extend({
      type: z
        .enum(IDENTITIES)
        .default('GoogleApplicationCredentials')
        .describe('The kind of identity. Default: GoogleApplicationCredentials.'),
    })
    .optional()
    .describe('The Secret that holds a cloud identity, where the kubeconfig alone is not enough.'),
  kubernetesVersion: text(32)
    .optional()
    .describe('The Kubernetes version, as 1.36. Default: unknown, and what depends on it is not checked.'),
  cache: fields({ storageClassName: objectName.optional().describe('The name of the storage class.') })
    .optional()
    .describe('The same as spec.storage.sharedFilesystem.'),
}).check(rules(reachable));

/** Where a cluster comes from. Blocks of other sources are read and have no effect. */
export const clusterSource = fields({
  source: z.enum(SOURCES).describe('The cloud, or Existing. The block of the same name is required.'),
  gke: gke.optional().describe('For source GKE.'),
  eks: eks.optional().describe('For source EKS.'),
  aks: aks.optional().describe('For source AKS.'),
  nebius: nebius
    .optional()
    .describe('For source Nebius. It may be empty: the region is that of the credential.'),
  vultr: vultr.optional().describe('For source Vultr.'),
  existing: existing.optional().describe('For source Existing.'),
}).check(rules(chosenBlock('cluster', 'source', SOURCE_BLOCK)));
