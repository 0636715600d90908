type Doc = Record<string, unknown>;

/** What clouds report of resources that they create, next to the inputs, by the type of the resource. */
const OUTPUTS: Readonly<Record<string, (inputs: Doc, name: string) => Doc>> = {
  'gcp:container/cluster:Cluster': () => ({
    endpoint: '203.0.113.7',
    masterAuth: { clusterCaCertificate: 'Q0E=' },
  }),
  'aws:eks/cluster:Cluster': ({ vpcConfig }) => ({
    endpoint: 'https://api.eks.example',
    certificateAuthority: { data: 'Q0E=' },
    vpcConfig: { ...(vpcConfig as Doc), clusterSecurityGroupId: 'sg-cluster' },
  }),
  'aws:iam/role:Role': (_, name) => ({ arn: `arn:aws:iam::123456789012:role/${name}`, name }),
  'aws:ec2/launchTemplate:LaunchTemplate': () => ({ latestVersion: 1 }),
  'kubernetes:gateway.networking.k8s.io/v1:Gateway': () => ({
    status: { addresses: [{ value: '203.0.113.8' }] },
  }),
  'azure-native:managedidentity:UserAssignedIdentity': (_, name) => ({
    principalId: `${name}-principal`,
    clientId: `${name}-client`,
  }),
  'azure-native:storagecache:AmlFilesystem': () => ({ clientInfo: { mgsAddress: '10.0.254.4' } }),
  'azure-native:containerservice:ManagedCluster': () => ({ oidcIssuerProfile: { issuerURL: 'https://oidc.example' } }),
  'aws:ec2/placementGroup:PlacementGroup': (_, name) => ({ name }),
};

/** The state of a resource once it is made. */
export function madeState(type: string, name: string, inputs: Doc): Doc {
  return { ...inputs, ...OUTPUTS[type]?.(inputs, name) };
}

const AKS_KUBECONFIG = `clusters:
- cluster:
    certificate-authority-data: Q0E=
    server: https://api.aks.example:443
users:
- user:
    exec: { command: kubelogin }
`;

/** What clouds answer to requests about resources that are made, by the token of the request. */
const ANSWERS: Readonly<Record<string, Doc>> = {
  'azure-native:authorization:getClientConfig': { objectId: '00000000-0000-0000-0000-00000000000c' },
  'azure-native:containerservice:listManagedClusterUserCredentials': {
    kubeconfigs: [{ name: 'clusterUser', value: Buffer.from(AKS_KUBECONFIG).toString('base64') }],
  },
};

/**
 * The answer of a cloud to a request.
 *
 * @throws Error for any other request: nothing else may be asked for while a program is planned
 */
export function answerOf(token: string): Doc {
  const answer = ANSWERS[token];
  if (!answer) throw new Error(`nothing may be asked for while a program is planned: ${token}`);
  return answer;
}
