import { eksPlan } from '../../src/provision/eks/plan';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { EksCluster, type EksClusterArgs } from '../../stacks/eks';
import { ServingStack } from '../../stacks/index';
import { aFleet, type Declared } from '../provision/build';
import { record, type Registered } from './record';

const FULL: Declared = {
  cloud: { admins: ['arn:aws:iam::111122223333:role/deploy'] },
  machine: { instanceType: 'p5.48xlarge', placementGroup: true },
  pools: { h100: { fabric: { type: 'EFA' }, maxNodeCount: 4 } },
};

function planned(declared: Declared = {}) {
  const { cluster, fleet } = aFleet('EKS', declared);
  return eksPlan(cluster, fleet);
}

function made(declared: Declared = {}, args: Partial<EksClusterArgs> = {}): Promise<Registered[]> {
  return record(() => new EksCluster('us', { plan: planned(declared), ...args }));
}

function own(name: string): string {
  return `us_${name}`;
}

function inputsOf(all: readonly Registered[], type: string, name: string): Registered['inputs'] | undefined {
  return all.find((one) => one.type.endsWith(`:${type}`) && one.name === name)?.inputs;
}

test('every resource of the plan is registered with its arguments', async () => {
  const plan = planned(FULL);
  const all = await made(FULL);
  const many = {
    Subnet: plan.subnets,
    RouteTable: plan.routeTables,
    Route: plan.routes,
    RouteTableAssociation: plan.associations,
    Role: plan.roles,
    RolePolicyAttachment: plan.attachments,
    RolePolicy: plan.policies,
    AccessEntry: plan.access,
    AccessPolicyAssociation: plan.access.map(({ name, policy }) => ({ name, args: policy })),
    Addon: plan.addons,
    PodIdentityAssociation: plan.podIdentities,
    PlacementGroup: plan.placementGroups,
    LaunchTemplate: plan.launchTemplates,
    NodeGroup: [plan.systemPool, ...plan.pools],
    MountTarget: plan.storage?.mountTargets ?? [],
  };
  const one = {
    Vpc: plan.vpc,
    InternetGateway: plan.internetGateway,
    Eip: plan.address,
    NatGateway: plan.nat,
    Cluster: plan.cluster,
    FileSystem: plan.storage?.fileSystem,
  };
  const groups = [
    ['SecurityGroup', own('efa'), plan.efa?.securityGroup.args],
    ['SecurityGroupIngressRule', own('efa'), plan.efa?.ingress.args],
    ['SecurityGroupEgressRule', own('efa'), plan.efa?.egress.args],
    ['SecurityGroup', own('efs'), plan.storage?.securityGroup.args],
    ['SecurityGroupIngressRule', own('efs'), plan.storage?.ingress.args],
  ] as const;
  const want = [
    ...Object.entries(many).flatMap(([type, parts]) => parts.map(({ name, args }) => [type, own(name), args] as const)),
    ...Object.entries(one).map(([type, part]) => [type, 'us', part?.args] as const),
    ...groups,
  ];
  const got = want.map(([type, name]) => [type, name, inputsOf(all, type, name)]);
  expect(got).toMatchObject(want);
  expect(all.filter(({ type }) => type.startsWith('aws:')).length).toBe(want.length);
});

test('what a plan refers to by name becomes the ID of that resource', async () => {
  const all = await made(FULL);
  const inputs = (type: string, name: string) => inputsOf(all, type, `us${name}`);
  expect({
    subnet: inputs('Subnet', '_private-us-east-1a'),
    nat: inputs('NatGateway', ''),
    wayOut: inputs('Route', '_private'),
    internet: inputs('Route', '_public'),
    association: inputs('RouteTableAssociation', '_private-us-east-1a'),
    attachment: inputs('RolePolicyAttachment', '_node-AmazonEKS_CNI_Policy'),
    cluster: inputs('Cluster', ''),
    pool: inputs('NodeGroup', '_h100'),
    template: inputs('LaunchTemplate', '_h100'),
    addon: inputs('Addon', '_aws-efs-csi-driver'),
    mount: inputs('MountTarget', '_private-us-east-1a'),
    rule: inputs('SecurityGroupIngressRule', '_efs'),
    class: inputs('StorageClass', '/StorageClass.fleetwright-shared'),
  }).toMatchObject({
    subnet: { vpcId: 'us-id', region: 'us-east-1' },
    nat: { allocationId: 'us-id', subnetId: 'us_public-us-east-1a-id' },
    wayOut: { routeTableId: 'us_private-id', natGatewayId: 'us-id' },
    internet: { routeTableId: 'us_public-id', gatewayId: 'us-id' },
    association: { routeTableId: 'us_private-id', subnetId: 'us_private-us-east-1a-id' },
    attachment: { role: 'us_node' },
    cluster: {
      roleArn: 'arn:aws:iam::123456789012:role/us_cluster',
      vpcConfig: { subnetIds: ['us_private-us-east-1a-id', 'us_private-us-east-1b-id'] },
    },
    pool: {
      clusterName: 'us',
      nodeRoleArn: 'arn:aws:iam::123456789012:role/us_node',
      subnetIds: ['us_private-us-east-1a-id'],
      launchTemplate: { id: 'us_h100-id', version: '1' },
    },
    template: {
      placement: { groupName: 'us_h100' },
      networkInterfaces: expect.arrayContaining([
        expect.objectContaining({ interfaceType: 'efa', securityGroups: ['us_efa-id', 'sg-cluster'] }),
        expect.objectContaining({ interfaceType: 'efa-only', securityGroups: ['us_efa-id', 'sg-cluster'] }),
      ]),
    },
    addon: {
      podIdentityAssociations: [
        {
          serviceAccount: 'efs-csi-controller-sa',
          roleArn: 'arn:aws:iam::123456789012:role/us_efs-csi',
        },
      ],
    },
    mount: { fileSystemId: 'us-id', securityGroups: ['us_efs-id'] },
    rule: { securityGroupId: 'us_efs-id', referencedSecurityGroupId: 'sg-cluster' },
    class: { parameters: { fileSystemId: 'us-id', provisioningMode: 'efs-ap' } },
  });
});

test('everything is in the region of the cluster, whatever the one of the stack', async () => {
  const all = await made(FULL);
  const regional = all.filter(({ type }) => type.startsWith('aws:') && !type.startsWith('aws:iam/'));
  expect(regional.filter(({ inputs }) => inputs['region'] !== 'us-east-1')).toEqual([]);
});

test('the address of the API is in the provider alone, in a kubeconfig without a token', async () => {
  const all = await made();
  const reported = all.filter(({ inputs }) => JSON.stringify(inputs).includes('api.eks.example'));
  expect(reported.map(({ type }) => type)).toEqual(['pulumi:providers:kubernetes']);
  const { kubeconfig, clusterIdentifier } = reported[0]!.inputs as { kubeconfig: { secret: string } } & Record<
    string,
    unknown
  >;
  expect(JSON.parse(kubeconfig.secret)).toMatchObject({
    clusters: [{ cluster: { server: 'https://api.eks.example', 'certificate-authority-data': 'Q0E=' } }],
    users: [
      {
        user: {
          exec: {
            command: 'aws',
            args: expect.arrayContaining(['--region', 'us-east-1', '--cluster-name', 'us']),
          },
        },
      },
    ],
  });
  // The inputs of the provider stay the same, whatever the address of the cluster is.
  expect(clusterIdentifier).toBe('eks/us-east-1/us');
});

test('nodes come after the add-ons that they need and the way out, others after nodes', async () => {
  const all = await made();
  const after = (name: string): string =>
    all.find((one) => one.name === name && !one.type.includes('Launch'))!.dependsOn.join();
  expect(after('us_l4')).toMatch(/Addon us_kube-proxy,.*Addon us_vpc-cni,/);
  expect(after('us_l4')).toMatch(/Route us_private/);
  expect(after('us_l4')).not.toMatch(/coredns/);
  expect(after('us_coredns')).toMatch(/NodeGroup us_system/);
  expect(after('us/StorageClass.fleetwright-shared')).toMatch(
    /MountTarget us_private-us-east-1a.*Addon us_aws-efs-csi-driver/,
  );
});

test('who may do anything on a cluster goes after what is on it: one of them may destroy it', async () => {
  const { cluster, fleet } = aFleet('EKS', FULL);
  const all = await record(() => {
    const us = new EksCluster('us', { plan: eksPlan(cluster, fleet) });
    new ServingStack('us', { cluster: us, releases: releasesOf(cluster, fleet) });
  });
  const entry = 'us_111122223333-role-deploy';
  const late = all.filter(({ type }) => type.startsWith('kubernetes:'));
  expect(late.length).toBeGreaterThan(2);
  for (const one of late) {
    expect(one.dependsOn).toContain(`aws:eks/accessPolicyAssociation:AccessPolicyAssociation ${entry}`);
  }
});

/** The types of what stays when a cluster is destroyed. */
async function kept(keepData: boolean): Promise<string[]> {
  const all = await made({}, { keepData });
  return all.filter(({ retainOnDelete }) => retainOnDelete).map(({ type }) => type);
}

test('nodes with EFA come after what lets them reach each other', async () => {
  const all = await made(FULL);
  expect(all.find(({ type, name }) => type.endsWith('NodeGroup') && name === 'us_h100')?.dependsOn).toEqual(
    expect.arrayContaining([
      'aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule us_efa',
      'aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule us_efa',
    ]),
  );
});

test('a file system stays when its cluster goes, unless nothing shall', async () => {
  expect([await kept(true), await kept(false)]).toEqual([['aws:efs/fileSystem:FileSystem'], []]);
});

test('no file system is made where the cluster names a class', async () => {
  const all = await made({ cluster: { storage: { sharedFilesystem: { storageClassName: 'ours' } } } });
  expect(all.filter(({ type }) => /efs|StorageClass/.test(type))).toEqual([]);
});

test('a transform changes what is registered, subnets and pools by their name', async () => {
  const all = await made(
    {},
    {
      transform: {
        vpc: (args) => ({ ...args, instanceTenancy: 'dedicated' }),
        subnet: (args, name) => ({ ...args, mapPublicIpOnLaunch: name === 'private-us-east-1a' }),
        cluster: (args) => ({ ...args, enabledClusterLogTypes: ['audit'] }),
        launchTemplate: (args, name) => (name === 'l4' ? { ...args, ebsOptimized: 'true' } : args),
        pool: (args, name) => (name === 'l4' ? { ...args, releaseVersion: '1' } : args),
        fileSystem: (args) => ({ ...args, throughputMode: 'bursting' }),
        addon: (args, name) => (name === 'coredns' ? { ...args, addonVersion: 'v1.12.4-eksbuild.1' } : args),
        provider: (args) => ({ ...args, namespace: 'ours' }),
        storageClass: (args) => ({ ...args, mountOptions: ['nconnect=4'] }),
      },
    },
  );
  expect(inputsOf(all, 'kubernetes', 'us')).toMatchObject({ namespace: 'ours', deleteUnreachable: 'true' });
  const storageClass = inputsOf(all, 'StorageClass', 'us/StorageClass.fleetwright-shared');
  expect(storageClass).toMatchObject({ mountOptions: ['nconnect=4'], provisioner: expect.any(String) });
  expect(inputsOf(all, 'Vpc', 'us')).toMatchObject({ instanceTenancy: 'dedicated' });
  expect(inputsOf(all, 'Subnet', 'us_private-us-east-1a')).toMatchObject({ mapPublicIpOnLaunch: true });
  expect(inputsOf(all, 'Subnet', 'us_public-us-east-1a')).toMatchObject({ mapPublicIpOnLaunch: false });
  expect(inputsOf(all, 'Cluster', 'us')).toMatchObject({ enabledClusterLogTypes: ['audit'], name: 'us' });
  expect(inputsOf(all, 'LaunchTemplate', 'us_l4')).toMatchObject({ ebsOptimized: 'true' });
  expect(inputsOf(all, 'LaunchTemplate', 'us_system')).not.toHaveProperty('ebsOptimized');
  expect(inputsOf(all, 'NodeGroup', 'us_l4')).toMatchObject({ releaseVersion: '1' });
  expect(inputsOf(all, 'NodeGroup', 'us_system')).not.toHaveProperty('releaseVersion');
  expect(inputsOf(all, 'FileSystem', 'us')).toMatchObject({ throughputMode: 'bursting' });
  expect(inputsOf(all, 'Addon', 'us_coredns')).toMatchObject({ addonVersion: 'v1.12.4-eksbuild.1' });
  expect(inputsOf(all, 'Addon', 'us_kube-proxy')).not.toHaveProperty('addonVersion');
});
