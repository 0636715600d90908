/** A created cluster, with the outputs of its cloud. */
interface CreatedCluster {
  readonly name: string;

  /** The URL of the API server: `https://203.0.113.7`. */
  readonly server: string;

  /** The certificate of the certificate authority, in base64. */
  readonly certificate: string;
}

interface TokenCommand {
  readonly command: string;
  readonly args?: readonly string[];
  readonly provideClusterInfo?: boolean;
  readonly installHint: string;
}

/** Formats a kubeconfig for GKE. It contains no token: its user needs permissions in Google Cloud. */
export function formatGkeKubeconfig(cluster: CreatedCluster): string {
  return formatKubeconfig(cluster, {
    command: 'gke-gcloud-auth-plugin',
    provideClusterInfo: true,
    installHint: "Run 'gcloud components install gke-gcloud-auth-plugin'",
  });
}

/** Formats a kubeconfig for EKS. It contains no token: its user needs an access entry of the cluster. */
export function formatEksKubeconfig(cluster: CreatedCluster, region: string): string {
  return formatKubeconfig(cluster, {
    command: 'aws',
    args: ['--region', region, 'eks', 'get-token', '--cluster-name', cluster.name, '--output', 'json'],
    installHint: 'Install the AWS command line, version 2',
  });
}

/** The text is JSON, which is valid YAML. */
function formatKubeconfig({ name, server, certificate }: CreatedCluster, token: TokenCommand): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: 'IfAvailable', ...token };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': certificate } }],
    users: [{ name, user: { exec } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
