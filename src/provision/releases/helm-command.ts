import { compareText } from '../../base/order';
import type { Release } from './release';

/**
 * The command that installs a release, or updates it: `helm upgrade --install lws oci://registry.k8s.io/...`. One
 * value of the chart is one flag, as JSON. Helm 3.10 introduced the flag.
 */
export function formatHelmCommand({ name, namespace, chart, repository, version, values }: Release): string {
  const source = repository === undefined ? chart : `${chart} --repo ${repository}`;
  const flags = Object.entries(values)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ` --set-json '${key}=${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`);
  return `helm upgrade --install ${name} ${source} --version ${version} --namespace ${namespace} --create-namespace${flags.join('')}`;
}
