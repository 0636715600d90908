import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { Certificate, Wanted } from '../harness/certificates';

/**
 * What cert-manager would be asked for on a cluster, as certificates to make. The names of issuers are those of the
 * authorities.
 */
export function askedOfIssuers(cluster: string, manifests: readonly Manifest[]): Wanted[] {
  return certificatesOf(manifests).map(({ secretName, dnsNames, usages, issuerRef }) => ({
    name: `${cluster}.${secretName}`,
    issuer: String((issuerRef as JsonObject)['name']),
    dns: dnsNames as string[],
    use: (usages as string[]).includes('client auth') ? 'client' : 'server',
  }));
}

/** The Secrets that cert-manager would make of them. */
export function issuedCertificates(
  cluster: string,
  manifests: readonly Manifest[],
  certificate: (name: string) => Certificate,
): Manifest[] {
  return certificatesOf(manifests).map(({ secretName, namespace }) => {
    const { cert, key } = certificate(`${cluster}.${secretName}`);
    const data = { 'tls.crt': encoded(cert), 'tls.key': encoded(key) };
    const metadata = { name: String(secretName), namespace: String(namespace), labels: {} };
    return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', data };
  });
}

function certificatesOf(manifests: readonly Manifest[]): JsonObject[] {
  return manifests
    .filter(({ kind }) => kind === 'Certificate')
    .map(({ metadata, spec }) => ({ ...spec, namespace: metadata.namespace }));
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64');
}
