import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { PROVIDERS, SOURCE_BLOCK } from './cloud-providers';
import { IN_CLOUD, IN_CLUSTER_SOURCE } from './kubernetes-spellings';
import { fields, withDefault } from './schema/fields';
import { labelValue } from './schema/label-map';
import { describeMissingField, requireChosenBlock, rules, type SchemaRule } from './schema/rules';
import { secretKeyReference } from './schema/secret-reference';
import { nonEmptyText, referencedName, stringFormat } from './schema/string-formats';

/** The sources of clusters: a cloud that provisions them, a cloud of a program, or an existing cluster. */
export const CLUSTER_SOURCES = [...PROVIDERS, 'Custom', 'Existing'] as const;

export type ClusterSource = (typeof CLUSTER_SOURCES)[number];

const credentials = fields({
  type: withDefault(
    z.enum(['ProviderConfig', 'ClusterProviderConfig']),
    'ClusterProviderConfig',
    'The kind of object.',
  ),
  name: withDefault(referencedName, 'default', 'The name of the object.'),
})
  .optional()
  .describe('The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.');

function kubernetesVersion(version: string) {
  return nonEmptyText(32).default(version).describe(`The Kubernetes version. Default: ${version}.`);
}

const region = nonEmptyText(32).describe('The region of the cloud.');

/** What clouds with a field `region` do not call it. */
const LOCATION = { location: "Use 'region'", ...IN_CLOUD };

const gkeAddons = fields({
  persistentDisk: withDefault(
    z.boolean(),
    true,
    'Whether the Persistent Disk driver is installed: volumes for one node at a time, as charts and caches with storage BlockDevice request them.',
  ),
  gcsFuse: withDefault(
    z.boolean(),
    false,
    'Whether the Cloud Storage FUSE driver is installed: buckets as csi volumes of pods with the annotation gke-gcsfuse/volumes: "true". The driver grants no access: each bucket must allow reads by the service account of the pods, under its workload identity name. A ModelCache that may mount a bucket also installs the driver.',
  ),
})
  .prefault({})
  .describe(
    'The volume drivers of GKE that are installed in addition to the Filestore driver, which is always installed.',
  );

const gke = fields(
  {
    region,
    zone: nonEmptyText(63)
      .optional()
      .describe('The zone of the control plane: us-central1-a. Default: all zones of the region.'),
    kubernetesVersion: kubernetesVersion('1.35'),
    addons: gkeAddons,
    credentials,
  },
  LOCATION,
);
const principal = stringFormat({
  noun: 'an IAM role or user',
  code: 'bad-name',
  pattern: /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/,
  max: 2048,
  hint: "Use its ARN, as in 'arn:aws:iam::111122223333:role/deploy'",
});
const eks = fields(
  {
    region,
    zones: z
      .array(nonEmptyText(63))
      .max(8)
      .optional()
      .describe(
        'The zones of the control plane, of the system nodes and of the NAT gateway, at least two: us-east-1a. AWS does not allow changes to them. Default: the zones of the pools when the cluster is created, plus another zone if that is only one.',
      ),
    kubernetesVersion: kubernetesVersion('1.36'),
    admins: z
      .array(principal)
      .max(64)
      .default([])
      .describe(
        'The ARNs of IAM roles and users with all permissions on the cluster, in addition to the identity that creates it. Default: none.',
      ),
    credentials,
  },
  LOCATION,
);
const entraObject = stringFormat({
  noun: 'an object ID of Microsoft Entra',
  code: 'bad-name',
  pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  max: 36,
  hint: "Use its object ID, as in '00000000-1111-2222-3333-444444444444'",
});
const aks = fields(
  {
    location: region,
    kubernetesVersion: kubernetesVersion('1.36'),
    admins: z
      .array(entraObject)
      .max(64)
      .default([])
      .describe(
        'The object IDs of groups, users and service principals in Microsoft Entra with all permissions on the cluster, in addition to the identity that creates it. Default: none.',
      ),
    credentials,
  },
  { region: "Use 'location', as AKS calls it", ...IN_CLOUD },
);
const nebius = fields({ kubernetesVersion: kubernetesVersion('1.34'), credentials });
const vultr = fields({ region, kubernetesVersion: kubernetesVersion('v1.36.1+3'), credentials }, LOCATION);

const requireOwnCloud: SchemaRule<{ cloud: string }> = function* ({ cloud }) {
  const known = CLUSTER_SOURCES.find((source) => source === cloud);
  if (known === undefined && cloud !== '') return;
  const what = cloud === '' ? 'the name of the cloud is empty' : `'${cloud}' is a source of its own`;
  const hint = known === undefined ? "Write it as in 'OKE'" : `Set spec.cluster.source to ${cloud}`;
  yield errorAt('bad-name', ['cloud'], what, hint);
};

const custom = fields({
  cloud: labelValue.describe('The source of the Cloud that the Pulumi program passes to the stack: OKE.'),
  region: labelValue.optional().describe('The region of the cloud. Default: none.'),
  kubernetesVersion: nonEmptyText(32)
    .optional()
    .describe('The Kubernetes version, as 1.36. Default: unknown, and features that depend on it are not checked.'),
}).check(rules(requireOwnCloud));

const IDENTITIES = [
  'GoogleApplicationCredentials',
  'AWSWebIdentityCredentials',
  'NebiusServiceAccountCredentials',
] as const;

/** Requires a Secret or a context. Otherwise, the current kubeconfig would decide which cluster is used. */
const requireKubeconfig: SchemaRule<{ secretRef?: unknown; context?: unknown }> = function* ({ secretRef, context }) {
  if (secretRef !== undefined || context !== undefined) return;
  yield describeMissingField(['secretRef'], "Or set 'context' to a context of your kubeconfig file");
};

const existing = fields({
  secretRef: secretKeyReference('kubeconfig')
    .optional()
    .describe('The Secret that holds the kubeconfig. Default key: kubeconfig.'),
  context: nonEmptyText(253)
    .optional()
    .describe('The context in the kubeconfig of the Secret, or else in the kubeconfig file of the user who applies.'),
  identitySecretRef: secretKeyReference('private_key')
    .extend({ type: withDefault(z.enum(IDENTITIES), 'GoogleApplicationCredentials', 'The kind of identity.') })
    .optional()
    .describe('The Secret that holds a cloud identity, where the kubeconfig alone is not enough.'),
  kubernetesVersion: nonEmptyText(32)
    .optional()
    .describe('The Kubernetes version, as 1.36. Default: unknown, and features that depend on it are not checked.'),
  cache: fields({ storageClassName: referencedName.optional().describe('The name of the storage class.') })
    .optional()
    .describe('The same as spec.storage.sharedFilesystem.'),
}).check(rules(requireKubeconfig));

const BY_PROGRAM = ' if a Cloud of a Pulumi program creates the cluster';

/** When a source is right, where that is not plain. */
const CONDITIONS: Readonly<Partial<Record<ClusterSource, string>>> = {
  Nebius: BY_PROGRAM,
  Vultr: BY_PROGRAM,
  Custom: BY_PROGRAM,
};

/** The schema of the source of a cluster. Blocks of other sources are accepted and have no effect. */
export const clusterSource = fields(
  {
    source: z
      .enum(CLUSTER_SOURCES)
      .describe(
        'What creates the cluster: Fleetwright on GKE, EKS and AKS; a Cloud of a Pulumi program on Nebius, Vultr and Custom. Existing: it exists, on any cloud. The block of the same name is required.',
      ),
    gke: gke.optional().describe('For source GKE.'),
    eks: eks.optional().describe('For source EKS.'),
    aks: aks.optional().describe('For source AKS.'),
    nebius: nebius
      .optional()
      .describe(
        'For source Nebius: a Cloud of a Pulumi program creates the cluster. Can be empty: the region is that of the credential.',
      ),
    vultr: vultr.optional().describe('For source Vultr: a Cloud of a Pulumi program creates the cluster.'),
    custom: custom.optional().describe('For source Custom: a Cloud of a Pulumi program creates the cluster.'),
    existing: existing.optional().describe('For source Existing: the cluster exists, on any cloud.'),
  },
  IN_CLUSTER_SOURCE,
).check(rules(requireChosenBlock('cluster', 'source', SOURCE_BLOCK, CONDITIONS)));
