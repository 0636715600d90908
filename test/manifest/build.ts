import { resourceIdOf } from '../../src/api/kinds';
import { formatDiagnostic } from '../../src/base/diagnostic';
import type { Limits } from '../../src/manifest/input-limits';
import type { LoadedManifests } from '../../src/manifest/load-files';
import { loadManifests } from '../../src/manifest/load-manifests';

/** The shortest manifest of ours. `name` is `name` or `namespace/name`. */
export function endpoint(name: string, extra = ''): string {
  const [own = '', namespace] = name.split('/').reverse();
  return [
    'apiVersion: fleetwright.dev/v1alpha1',
    'kind: ModelEndpoint',
    'metadata:',
    `  name: ${own}`,
    ...(namespace ? [`  namespace: ${namespace}`] : []),
    'spec:',
    `  url: https://${own}.example.com`,
    ...(extra ? [extra] : []),
    '',
  ].join('\n');
}

/** Loads files by path; a lone text is the file `f.yaml`. */
export function load(files: string | Record<string, string>, limits?: Limits): LoadedManifests {
  const byPath = typeof files === 'string' ? { 'f.yaml': files } : files;
  return loadManifests(
    Object.entries(byPath).map(([path, text]) => ({ path, text })),
    limits,
  );
}

/** What a load found, in words. */
export function summary({ resources, ignored, problems }: LoadedManifests) {
  return {
    ids: resources.map(resourceIdOf),
    ignored: ignored.map(({ what, count }) => `${count} ${what}`),
    problems: problems.map(formatDiagnostic),
  };
}
