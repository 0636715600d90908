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

/** The application of the API servers of all clusters on AKS, for which kubelogin requests tokens. */
const AKS_SERVER_ID = '6dae42f8-4368-4678-94ff-3960e28e3630';

/**
 * Formats a kubeconfig for AKS. It contains no token: its user needs a role on the cluster. By default, kubelogin uses
 * the login of the Azure command line. The variable AAD_LOGIN_METHOD chooses another.
 *
 * @param credential the kubeconfig that AKS returns in base64, which asks for a code in a browser
 * @throws Error for a kubeconfig without a server or a certificate
 */
export function formatAksKubeconfig(name: string, credential: string): string {
  const text = Buffer.from(credential, 'base64').toString('utf8');
  const [, server] = /^[ \t]*server: *["']?([^\s"']+)/m.exec(text) ?? [];
  const [, certificate] = /^[ \t]*certificate-authority-data: *["']?([^\s"']+)/m.exec(text) ?? [];
  if (server === undefined || certificate === undefined) {
    throw new Error(`Azure returned no address or no certificate for the cluster '${name}'. Run it again`);
  }
  return formatKubeconfig(
    { name, server, certificate },
    {
      command: 'kubelogin',
      args: ['get-token', '--login', 'azurecli', '--server-id', AKS_SERVER_ID],
      installHint: "Run 'az aks install-cli', which installs kubelogin",
    },
  );
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
