/** A cluster that was made, as its cloud tells it. */
export interface CreatedCluster {
  readonly name: string;

  /** Where its API is: `https://203.0.113.7`. */
  readonly server: string;

  /** The certificate of its authority, in base64. */
  readonly certificate: string;
}

/** A command that gets tokens. */
interface TokenCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly provideClusterInfo?: boolean;
  readonly installHint: string;
}

/** A kubeconfig for GKE. It holds no token: whoever uses it has to have leave to in Google Cloud. */
export function formatGkeKubeconfig(cluster: CreatedCluster): string {
  return kubeconfig(cluster, {
    command: 'gke-gcloud-auth-plugin',
    provideClusterInfo: true,
    installHint: "Run 'gcloud components install gke-gcloud-auth-plugin'",
  });
}

/** A kubeconfig for EKS. It holds no token: whoever uses it has to have an access entry of the cluster. */
export function formatEksKubeconfig(cluster: CreatedCluster, region: string): string {
  return kubeconfig(cluster, {
    command: 'aws',
    args: ['--region', region, 'eks', 'get-token', '--cluster-name', cluster.name, '--output', 'json'],
    installHint: 'Install the AWS command line, version 2',
  });
}

/** JSON is YAML too. */
function kubeconfig({ name, server, certificate }: CreatedCluster, token: TokenCommand): string {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    interactiveMode: 'IfAvailable',
    ...token,
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': certificate } }],
    users: [{ name, user: { exec } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
