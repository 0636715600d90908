import type { LaunchTemplateArgs } from '@pulumi/aws/ec2/launchTemplate';
import type { RouteArgs } from '@pulumi/aws/ec2/route';
import type { SubnetArgs } from '@pulumi/aws/ec2/subnet';
import type { VpcArgs } from '@pulumi/aws/ec2/vpc';
import type { FileSystemArgs } from '@pulumi/aws/efs/fileSystem';
import type { AccessEntryArgs } from '@pulumi/aws/eks/accessEntry';
import type { AccessPolicyAssociationArgs } from '@pulumi/aws/eks/accessPolicyAssociation';
import type { AddonArgs } from '@pulumi/aws/eks/addon';
import type { ClusterArgs } from '@pulumi/aws/eks/cluster';
import type { NodeGroupArgs } from '@pulumi/aws/eks/nodeGroup';
import type { PodIdentityAssociationArgs } from '@pulumi/aws/eks/podIdentityAssociation';
import type { RoleArgs } from '@pulumi/aws/iam/role';
import type { RolePolicyArgs } from '@pulumi/aws/iam/rolePolicy';
import type { SecurityGroupIngressRuleArgs } from '@pulumi/aws/vpc/securityGroupIngressRule';
import { type EksPlan, eksPlan } from '../../../src/provision/eks/plan';
import { aFleet, type Declared, type Row, valuesAt } from '../build';

function planned(declared: Declared = {}): EksPlan {
  const { cluster, fleet } = aFleet('EKS', declared);
  return eksPlan(cluster, fleet);
}

const rows: Record<string, Row> = {
  'subnets are in the zones of the pools, and each letter has its own range': {
    pools: { a: { zones: ['us-east-1f'] }, b: { zones: ['us-east-1b'] } },
    want: {
      'subnets/0/args/availabilityZone': 'us-east-1b',
      'subnets/0/args/cidrBlock': '10.0.8.0/21',
      'subnets/1/args/cidrBlock': '10.0.40.0/21',
      'subnets/2/args/cidrBlock': '10.0.144.0/20',
      'subnets/3/args/availabilityZone': 'us-east-1f',
      'subnets/3/args/cidrBlock': '10.0.208.0/20',
      'subnets/4': undefined,
      'pools/0/refs/subnetIds': ['private-us-east-1f'],
    },
  },
  'a range of ones own does not overflow': {
    cluster: { network: { cidr: '10.9.240.0/20' } },
    pools: { a: { zones: ['us-east-1h'] } },
    want: {
      'vpc/args': {
        cidrBlock: '10.9.240.0/20',
        // Nodes find the control plane by a name that only the network's own DNS knows.
        enableDnsHostnames: true,
        enableDnsSupport: true,
        tags: { 'fleetwright-cluster': 'us', Name: 'us' },
      },
      'subnets/1/args/cidrBlock': '10.9.243.128/25',
      'subnets/3/args/cidrBlock': '10.9.255.0/24',
    },
  },
  'a control plane has two zones, whatever the pools have': {
    want: {
      'subnets/0/args/availabilityZone': 'us-east-1a',
      'subnets/1/args/availabilityZone': 'us-east-1b',
      'systemPool/refs/subnetIds': ['private-us-east-1a', 'private-us-east-1b'],
    },
  },
  'a control plane that names its zones is there, with nodes for the cluster itself, wherever pools are': {
    cloud: { zones: ['us-east-1d', 'us-east-1c'] },
    want: {
      'subnets/0/args/availabilityZone': 'us-east-1a',
      'subnets/1/args/availabilityZone': 'us-east-1c',
      'subnets/2/args/availabilityZone': 'us-east-1d',
      'subnets/6': undefined,
      'cluster/refs/subnetIds': ['private-us-east-1c', 'private-us-east-1d'],
      'systemPool/refs/subnetIds': ['private-us-east-1c', 'private-us-east-1d'],
      'nat/refs/subnetId': 'public-us-east-1c',
      'pools/0/refs/subnetIds': ['private-us-east-1a'],
    },
  },
  'and stays in the zones that it was made in, where pools come in others': {
    want: {
      'cluster/options/ignoreChanges': ['vpcConfig.subnetIds'],
      'nat/options/ignoreChanges': ['subnetId'],
    },
  },
  'the second zone has a letter that the region has': {
    cloud: { region: 'ap-northeast-1' },
    pools: { a: { zones: ['ap-northeast-1a'] } },
    want: { 'systemPool/refs/subnetIds': ['private-ap-northeast-1a', 'private-ap-northeast-1c'] },
  },
  'others than its maker are let in by name': {
    cloud: {
      admins: ['arn:aws:iam::111122223333:role/ci/deploy', 'arn:aws:iam::111122223333:role/admin'],
    },
    want: {
      'access/0/name': '111122223333-role-admin',
      access: [
        expect.anything(),
        {
          name: '111122223333-role-deploy',
          args: {
            principalArn: 'arn:aws:iam::111122223333:role/ci/deploy',
            tags: { 'fleetwright-cluster': 'us' },
          },
          policy: {
            principalArn: 'arn:aws:iam::111122223333:role/ci/deploy',
            policyArn: 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
            accessScope: { type: 'cluster' },
          },
        },
      ],
    },
  },
  'only load balancers and the way out are on public subnets': {
    want: {
      'subnets/0/args/mapPublicIpOnLaunch': true,
      'subnets/0/args/tags': {
        'fleetwright-cluster': 'us',
        Name: 'us-public-us-east-1a',
        'kubernetes.io/role/elb': '1',
      },
      'subnets/2/args/mapPublicIpOnLaunch': false,
      'subnets/2/args/tags': expect.objectContaining({ 'kubernetes.io/role/internal-elb': '1' }),
      'nat/refs': { allocationId: 'nat', subnetId: 'public-us-east-1a' },
      'address/args/domain': 'vpc',
      'routes/0/args': { destinationCidrBlock: '0.0.0.0/0' },
      'routes/0/refs': { routeTableId: 'public', gatewayId: 'internet' },
      'routes/1/args': { destinationCidrBlock: '0.0.0.0/0' },
      'routes/1/refs': { routeTableId: 'private', natGatewayId: 'nat' },
      'associations/3/refs': { routeTableId: 'private', subnetId: 'private-us-east-1b' },
    },
  },
  'a control plane is protected, on standard support, and reached by those who have an entry': {
    want: {
      'cluster/args': {
        name: 'us',
        version: '1.36',
        deletionProtection: true,
        accessConfig: { authenticationMode: 'API', bootstrapClusterCreatorAdminPermissions: true },
        bootstrapSelfManagedAddons: false,
        upgradePolicy: { supportType: 'STANDARD' },
        tags: { 'fleetwright-cluster': 'us' },
      },
      'cluster/vpcConfig': { endpointPrivateAccess: true, endpointPublicAccess: true },
    },
  },
  'who reaches the control plane can be restricted': {
    cluster: { network: { authorizedNetworks: ['192.0.2.0/24'] } },
    want: { 'cluster/vpcConfig/publicAccessCidrs': ['192.0.2.0/24'] },
  },
  'nodes need some add-ons, and others need nodes': {
    want: {
      addons: [
        ['vpc-cni', false],
        ['kube-proxy', false],
        ['eks-pod-identity-agent', false],
        ['coredns', true],
        ['aws-efs-csi-driver', true],
      ].map(([name, afterNodes]) => expect.objectContaining({ name, afterNodes })),
    },
  },
  'the autoscaler is known by its account in kube-system': {
    want: {
      podIdentities: [
        {
          name: 'cluster-autoscaler',
          args: {
            namespace: 'kube-system',
            serviceAccount: 'cluster-autoscaler',
            tags: { 'fleetwright-cluster': 'us' },
          },
          refs: { roleArn: 'cluster-autoscaler' },
        },
      ],
    },
  },
  'add-ons have their settings, and network policies have an effect': {
    want: {
      'addons/0': {
        name: 'vpc-cni',
        args: {
          addonName: 'vpc-cni',
          configurationValues: '{"enableNetworkPolicy":"true"}',
          resolveConflictsOnCreate: 'OVERWRITE',
          resolveConflictsOnUpdate: 'OVERWRITE',
          tags: { 'fleetwright-cluster': 'us' },
        },
        afterNodes: false,
      },
      'addons/4/identity': { serviceAccount: 'efs-csi-controller-sa', role: 'efs-csi' },
    },
  },
  'nodes reach the file system, and no other does': {
    want: {
      'storage/ingress/args': {
        ipProtocol: 'tcp',
        fromPort: 2049,
        toPort: 2049,
        tags: { 'fleetwright-cluster': 'us' },
      },
      'storage/ingress/refs': { securityGroupId: 'efs', referencedSecurityGroupId: 'cluster' },
      'storage/mountTargets/1/refs': {
        fileSystemId: 'shared',
        subnetId: 'private-us-east-1b',
        securityGroups: ['efs'],
      },
      'storage/securityGroup/refs': { vpcId: 'vpc' },
    },
  },
  'the file system grows and gets faster by itself, and each volume of it is a directory of its own': {
    want: {
      'storage/fileSystem/args/encrypted': true,
      'storage/fileSystem/args/throughputMode': 'elastic',
      'storage/manifest/metadata/name': 'fleetwright-shared',
      'storage/manifest/provisioner': 'efs.csi.aws.com',
      'storage/manifest/parameters': { provisioningMode: 'efs-ap', directoryPerms: '700' },
      'storage/manifest/volumeBindingMode': 'Immediate',
    },
  },
  'a storage class that the user makes needs no file system': {
    cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } },
    want: { storage: undefined, 'addons/4': undefined },
  },
};

test.each(Object.entries(rows))('%s', (_name, { want, ...declared }) => {
  expect(valuesAt(planned(declared), want)).toEqual(want);
});

/** The arguments without what `refs` fills in. */
type Without<Args, Refs> = Omit<Args, keyof Refs | 'clusterName'>;

test('the arguments are those of the provider, without casts', () => {
  // Checked by the compiler.
  const plan = planned();
  plan.vpc.args satisfies VpcArgs;
  plan.subnets.map(({ args, refs }) => args satisfies Without<SubnetArgs, typeof refs>);
  plan.routes.map(({ args }) => args satisfies Omit<RouteArgs, 'routeTableId'>);
  plan.cluster.args satisfies Omit<ClusterArgs, 'roleArn' | 'vpcConfig'>;
  ({ ...plan.cluster.vpcConfig, subnetIds: [] }) satisfies ClusterArgs['vpcConfig'];
  plan.roles.map(({ args }) => args satisfies RoleArgs);
  plan.policies.map(({ args }) => args satisfies Omit<RolePolicyArgs, 'role'>);
  plan.addons.map(({ args }) => args satisfies Omit<AddonArgs, 'clusterName'>);
  plan.access.map(({ args }) => args satisfies Omit<AccessEntryArgs, 'clusterName'>);
  plan.access.map(({ policy }) => policy satisfies Omit<AccessPolicyAssociationArgs, 'clusterName'>);
  plan.podIdentities.map(({ args, refs }) => args satisfies Without<PodIdentityAssociationArgs, typeof refs>);
  plan.launchTemplates.map(({ args }) => args satisfies LaunchTemplateArgs);
  plan.pools.map(({ args, refs }) => args satisfies Without<NodeGroupArgs, typeof refs>);
  plan.systemPool.args satisfies Without<NodeGroupArgs, EksPlan['systemPool']['refs']>;
  plan.storage?.fileSystem.args satisfies FileSystemArgs | undefined;
  plan.storage?.ingress.args satisfies Omit<SecurityGroupIngressRuleArgs, 'securityGroupId'> | undefined;
  expect(plan.pools).toHaveLength(1);
});

test('a cluster elsewhere is a bug of the caller', () => {
  const { cluster, fleet } = aFleet('GKE');
  expect(() => eksPlan(cluster, fleet)).toThrow('bug');
});
