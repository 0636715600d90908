import { type EksRole, planEksRoles } from '../../../src/provision/eks/iam';

const { roles, attachments, policies } = planEksRoles(
  'us',
  { team: 'ml' },
  { roles: ['ebs-csi', 's3-csi'], buckets: ['models', 'models/qwen', 'other/a/b'] },
);

interface Want {
  readonly service: string;

  /** Of AWS, without the prefix of all. */
  readonly policies: string[];
}

const cases: Record<EksRole, Want> = {
  cluster: { service: 'eks.amazonaws.com', policies: ['AmazonEKSClusterPolicy'] },
  node: {
    service: 'ec2.amazonaws.com',
    policies: ['AmazonEC2ContainerRegistryReadOnly', 'AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'],
  },
  'efs-csi': { service: 'pods.eks.amazonaws.com', policies: ['service-role/AmazonEFSCSIDriverPolicy'] },
  'cluster-autoscaler': { service: 'pods.eks.amazonaws.com', policies: [] },
  'ebs-csi': { service: 'pods.eks.amazonaws.com', policies: ['service-role/AmazonEBSCSIDriverPolicy'] },
  's3-csi': { service: 'pods.eks.amazonaws.com', policies: [] },
};

interface Trust {
  readonly Statement: readonly { readonly Action: readonly string[] }[];
}

function trustOf(role: string): Trust {
  return JSON.parse(roles.find(({ name }) => name === role)?.args.assumeRolePolicy ?? '{}');
}

function actionsOf(role: EksRole) {
  return trustOf(role).Statement[0]?.Action;
}

test.each(Object.entries(cases))('the role %s is taken by one service, and may do what it needs', (role, want) => {
  expect(trustOf(role)).toMatchObject({ Statement: [{ Principal: { Service: want.service } }] });
  expect(attachments.filter(({ refs }) => refs.role === role).map(({ args }) => args.policyArn)).toEqual(
    want.policies.map((name) => `arn:aws:iam::aws:policy/${name}`),
  );
});

test('pods take their roles with the tags of the session, and no other does', () => {
  expect(actionsOf('efs-csi')).toEqual(['sts:AssumeRole', 'sts:TagSession']);
  expect(actionsOf('node')).toEqual(['sts:AssumeRole']);
});

test('every role says whose it is', () => {
  expect(roles.map(({ args }) => args.tags)).toEqual(roles.map(() => ({ team: 'ml' })));
});

test('the autoscaler reads what it decides by, and changes the groups of its cluster alone', () => {
  expect(policies.map(({ name, refs }) => [name, refs])).toEqual([
    ['cluster-autoscaler', { role: 'cluster-autoscaler' }],
    ['s3-csi', { role: 's3-csi' }],
  ]);
  expect(JSON.parse(policies[0]?.args.policy ?? '{}')).toEqual({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: [
          'autoscaling:DescribeAutoScalingGroups',
          'autoscaling:DescribeAutoScalingInstances',
          'autoscaling:DescribeLaunchConfigurations',
          'autoscaling:DescribeScalingActivities',
          'ec2:DescribeImages',
          'ec2:DescribeInstanceTypes',
          'ec2:DescribeLaunchTemplateVersions',
          'ec2:GetInstanceTypesFromInstanceRequirements',
          'eks:DescribeNodegroup',
        ],
        Resource: '*',
      },
      {
        Effect: 'Allow',
        Action: ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
        Resource: '*',
        Condition: { StringEquals: { 'aws:ResourceTag/k8s.io/cluster-autoscaler/us': 'owned' } },
      },
    ],
  });
});

test('the driver of buckets reads the folders of caches, and nothing else', () => {
  const policy = policies.find(({ name }) => name === 's3-csi')?.args.policy ?? '{}';
  expect(JSON.parse(policy).Statement).toEqual([
    { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: ['arn:aws:s3:::models', 'arn:aws:s3:::other'] },
    {
      Effect: 'Allow',
      Action: ['s3:GetObject'],
      Resource: ['arn:aws:s3:::models/*', 'arn:aws:s3:::models/qwen/*', 'arn:aws:s3:::other/a/b/*'],
    },
  ]);
});

test('a cluster without caches on disks and in buckets has no roles for them', () => {
  const names = planEksRoles('us', {}, { roles: [], buckets: [] }).roles.map(({ name }) => name);
  expect(names).toEqual(['cluster', 'node', 'efs-csi', 'cluster-autoscaler']);
});
