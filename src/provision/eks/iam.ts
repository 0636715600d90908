import type { InferenceCluster } from '../../api/inference-cluster';
import { sortUnique } from '../../base/order';

/** The prefix of policies that AWS keeps. */
const MANAGED_POLICIES = 'arn:aws:iam::aws:policy';

/** Roles of a cluster on EKS: who takes each, and what AWS lets it do. */
const ROLES = {
  cluster: { service: 'eks.amazonaws.com', policies: ['AmazonEKSClusterPolicy'] },
  node: {
    service: 'ec2.amazonaws.com',
    policies: ['AmazonEC2ContainerRegistryReadOnly', 'AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'],
  },
  'efs-csi': { service: 'pods.eks.amazonaws.com', policies: ['service-role/AmazonEFSCSIDriverPolicy'] },
  'cluster-autoscaler': { service: 'pods.eks.amazonaws.com', policies: [] },
} as const satisfies Record<string, { service: string; policies: readonly string[] }>;

/** A role of a cluster. */
export type EksRole = keyof typeof ROLES;

/** What the autoscaler reads. AWS takes no narrower resource for these. */
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

const AUTOSCALER_CHANGES = [
  'autoscaling:SetDesiredCapacity',
  'autoscaling:TerminateInstanceInAutoScalingGroup',
];

/** The roles of a cluster, and their policies. */
export function planEksRoles(cluster: string, tags: Record<string, string>) {
  const roles = Object.entries(ROLES);
  return {
    roles: roles.map(([name, { service }]) => ({
      name,
      args: { assumeRolePolicy: trust(service), tags },
    })),
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
        args: { policy: autoscalerPolicy(cluster) },
        refs: { role: 'cluster-autoscaler' as const },
      },
    ],
  };
}

/** Pods get sessions with tags that say which pod it is, and AWS wants leave for those. */
function trust(Service: string): string {
  const tagged = Service === 'pods.eks.amazonaws.com';
  const Action = tagged ? ['sts:AssumeRole', 'sts:TagSession'] : ['sts:AssumeRole'];
  return policy([{ Effect: 'Allow', Principal: { Service }, Action }]);
}

/** It changes only groups of its own cluster, by the tag that EKS puts on them. */
function autoscalerPolicy(cluster: string): string {
  const owned = { [`aws:ResourceTag/k8s.io/cluster-autoscaler/${cluster}`]: 'owned' };
  return policy([
    { Effect: 'Allow', Action: AUTOSCALER_READS, Resource: '*' },
    { Effect: 'Allow', Action: AUTOSCALER_CHANGES, Resource: '*', Condition: { StringEquals: owned } },
  ]);
}

function policy(Statement: readonly object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement });
}

/** What lets its bearer do anything on a cluster. */
const ADMIN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';

/** Who may do anything on a cluster beside whoever makes it, whom EKS lets in by itself. */
export function planEksAccess({ spec }: InferenceCluster, tags: Record<string, string>) {
  const principals = sortUnique(spec.cluster.eks?.admins ?? []);
  return principals.map((principalArn) => ({
    name: principalName(principalArn),
    args: { principalArn, tags },
    policy: { principalArn, policyArn: ADMIN, accessScope: { type: 'cluster' } },
  }));
}

/** `111122223333-role-deploy`: names are unique among the roles of an account, whatever their paths. */
function principalName(arn: string): string {
  const [account = '', resource = ''] = arn.split(':').slice(-2);
  const path = resource.split('/');
  return [account, path[0], path.at(-1)].join('-');
}
