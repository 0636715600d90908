import type { Release } from './release';

/** The name of the chart of a release, which it has in every repository. */
export function chartNameOf({ chart }: Pick<Release, 'chart'>): string {
  return chart.slice(chart.lastIndexOf('/') + 1);
}

/** Takes the chart of a release from a mirror, which has all charts by their own names. */
export function takeFromMirror(release: Release, mirror: string): Release {
  const { chart: _, repository: __, ...rest } = release;
  const name = chartNameOf(release);
  return mirror.startsWith('oci://')
    ? { ...rest, chart: `${mirror}/${name}` }
    : { ...rest, chart: name, repository: mirror };
}

/** Takes the chart of a release from a file or folder of this machine. */
export function takeFromPath(release: Release, path: string): Release {
  const { repository: _, ...rest } = release;
  return { ...rest, chart: path };
}

/**
 * The names that a folder of charts can have for the chart of a release: the file that `helm pull` writes, with or
 * without the `v` of the version, or the unpacked chart.
 */
export function chartPathsOf(release: Release): string[] {
  const name = chartNameOf(release);
  const version = release.version.replace(/^v/, '');
  return [`${name}-${release.version}.tgz`, `${name}-${version}.tgz`, `${name}-v${version}.tgz`, `${name}/Chart.yaml`];
}

/** The command that puts the chart of a release into a folder. */
export function formatPullCommand({ chart, repository, version }: Release, folder: string): string {
  const source = repository === undefined ? chart : `${chart} --repo ${repository}`;
  return `helm pull ${source} --version ${version} --destination ${folder}`;
}
