import type { InferenceCluster } from '../../api/inference-cluster';
import { sortUnique } from '../../base/order';

const MANAGED_POLICIES = 'arn:aws:iam::aws:policy';

/** The roles of an EKS cluster: the service that assumes each role, and its AWS policies. */
const ROLES = {
  cluster: { service: 'eks.amazonaws.com', policies: ['AmazonEKSClusterPolicy'] },
  node: {
    service: 'ec2.amazonaws.com',
    policies: ['AmazonEC2ContainerRegistryReadOnly', 'AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'],
  },
  'efs-csi': { service: 'pods.eks.amazonaws.com', policies: ['service-role/AmazonEFSCSIDriverPolicy'] },
  'cluster-autoscaler': { service: 'pods.eks.amazonaws.com', policies: [] },
  'ebs-csi': { service: 'pods.eks.amazonaws.com', policies: ['service-role/AmazonEBSCSIDriverPolicy'] },
  's3-csi': { service: 'pods.eks.amazonaws.com', policies: [] },
} as const satisfies Record<string, { service: string; policies: readonly string[] }>;

/** A role of a cluster. */
export type EksRole = keyof typeof ROLES;

/** The read actions of the autoscaler. AWS does not support narrower resources for them. */
const AUTOSCALER_READS = [
  'autoscaling:DescribeAutoScalingGroups',
  'autoscaling:DescribeAutoScalingInstances',
  'autoscaling:DescribeLaunchConfigurations',
  'autoscaling:DescribeScalingActivities',
  'ec2:DescribeImages',
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeLaunchTemplateVersions',
  'ec2:GetInstanceTypesFromInstanceRequirements',
  'eks:DescribeNodegroup',
];

const AUTOSCALER_CHANGES = ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'];

/** The roles of drivers that a cluster has only where caches need them. */
export type EksDriverRole = Extract<EksRole, 'ebs-csi' | 's3-csi'>;

const DRIVER_ROLES: ReadonlySet<string> = new Set<EksDriverRole>(['ebs-csi', 's3-csi']);

/** The drivers for caches on a cluster. */
interface EksDrivers {
  readonly roles: readonly EksDriverRole[];

  /** The folders of buckets that pods mount: `models/qwen3`. */
  readonly buckets: readonly string[];
}

/** Plans the roles of a cluster and their policies. */
export function planEksRoles(cluster: string, tags: Record<string, string>, drivers: EksDrivers) {
  const wanted = new Set<string>(drivers.roles);
  const roles = Object.entries(ROLES).filter(([name]) => !DRIVER_ROLES.has(name) || wanted.has(name));
  return {
    roles: roles.map(([name, { service }]) => ({ name, args: { assumeRolePolicy: formatTrustPolicy(service), tags } })),
    attachments: roles.flatMap(([role, { policies }]) =>
      policies.map((policy) => ({
        name: `${role}-${policy.split('/').at(-1)}`,
        args: { policyArn: `${MANAGED_POLICIES}/${policy}` },
        refs: { role },
      })),
    ),
    policies: [
      {
        name: 'cluster-autoscaler',
        args: { policy: formatAutoscalerPolicy(cluster) },
        refs: { role: 'cluster-autoscaler' as EksRole },
      },
      ...(wanted.has('s3-csi')
        ? [
            {
              name: 's3-csi',
              args: { policy: formatBucketPolicy(drivers.buckets) },
              refs: { role: 's3-csi' as EksRole },
            },
          ]
        : []),
    ],
  };
}

/**
 * Allows reads of some folders of buckets, and nothing else (doc/CONFIGURATION.md, "IAM permissions", in
 * github.com/awslabs/mountpoint-s3, for a mount that is read-only).
 */
function formatBucketPolicy(folders: readonly string[]): string {
  const buckets = sortUnique(folders.map((one) => one.split('/')[0] ?? one));
  return formatPolicy([
    { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: buckets.map((bucket) => `${S3_ARN}${bucket}`) },
    { Effect: 'Allow', Action: ['s3:GetObject'], Resource: folders.map((folder) => `${S3_ARN}${folder}/*`) },
  ]);
}

const S3_ARN = 'arn:aws:s3:::';

/** EKS Pod Identity tags the sessions of pods, which requires an additional permission. */
function formatTrustPolicy(Service: string): string {
  const isPodIdentity = Service === 'pods.eks.amazonaws.com';
  const Action = isPodIdentity ? ['sts:AssumeRole', 'sts:TagSession'] : ['sts:AssumeRole'];
  return formatPolicy([{ Effect: 'Allow', Principal: { Service }, Action }]);
}

/** Allows changes only to node groups of the cluster, by the tag that EKS adds to them. */
function formatAutoscalerPolicy(cluster: string): string {
  const owned = { [`aws:ResourceTag/k8s.io/cluster-autoscaler/${cluster}`]: 'owned' };
  return formatPolicy([
    { Effect: 'Allow', Action: AUTOSCALER_READS, Resource: '*' },
    { Effect: 'Allow', Action: AUTOSCALER_CHANGES, Resource: '*', Condition: { StringEquals: owned } },
  ]);
}

function formatPolicy(Statement: readonly object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement });
}

const ADMIN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';

/** Plans the access of administrators to a cluster. EKS adds the creator of the cluster itself. */
export function planEksAccess({ spec }: InferenceCluster, tags: Record<string, string>) {
  const principals = sortUnique(spec.cluster.eks?.admins ?? []);
  return principals.map((principalArn) => ({
    name: principalNameOf(principalArn),
    args: { principalArn, tags },
    policy: { principalArn, policyArn: ADMIN, accessScope: { type: 'cluster' } },
  }));
}

/** Returns a name such as `111122223333-role-deploy`. Role names are unique in an account, whatever their paths. */
function principalNameOf(arn: string): string {
  const [account = '', resource = ''] = arn.split(':').slice(-2);
  const path = resource.split('/');
  return [account, path[0], path.at(-1)].join('-');
}
