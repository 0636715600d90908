import { type Diagnostic, errorAt } from '../../src/base/diagnostic';
import { findChart } from '../../src/files/find-chart';
import {
  chartNameOf,
  chartPathsOf,
  formatPullCommand,
  takeFromMirror,
  takeFromPath,
} from '../../src/provision/releases/chart-location';
import type { Release } from '../../src/provision/releases/release';
import { isBlank } from '../runtime/config-values';

/** Where a stack takes the charts of all releases from, instead of their own registries. */
export type ChartSource =
  /** The address of a repository that has all charts by their own names: `oci://registry.example.com/charts`. */
  | { readonly mirror: string }
  /** A folder with the charts as `helm pull` writes them, relative to the working directory. */
  | { readonly folder: string };

/** Takes the charts of releases from the source of the stack, if it has one. */
export function locateCharts(releases: readonly Release[], source: ChartSource | undefined): readonly Release[] {
  if (source === undefined) return releases;
  if ('mirror' in source) return releases.map((release) => takeFromMirror(release, source.mirror));
  return releases.map((release) => {
    // The engine starts providers where it starts programs, and they read relative paths from there.
    const path = findChart(source.folder, chartPathsOf(release));
    return path === undefined ? release : takeFromPath(release, path);
  });
}

/** Reports a source that cannot be used, and the charts that a folder lacks, each with the command that gets it. */
export function checkChartSource(releases: readonly Release[], source: ChartSource | undefined): Diagnostic[] {
  if (source === undefined) return [];
  if ('mirror' in source) {
    if (/^(oci|https):\/\/[^\s/]/.test(source.mirror)) return [];
    const hint = "Write its address, as in 'oci://registry.example.com/charts'";
    return [errorAt('bad-setting', 'chartSource.mirror', `'${source.mirror}' is not a repository of charts`, hint)];
  }
  const { folder } = source;
  if (isBlank(folder)) {
    return [errorAt('bad-setting', 'chartSource.folder', 'it is empty', 'Set it to the folder with the charts')];
  }
  return releases
    .filter((release) => findChart(folder, chartPathsOf(release)) === undefined)
    .map((release) => {
      const what = `there is no chart ${chartNameOf(release)} ${release.version} in ${folder}`;
      return errorAt('no-chart-file', 'chartSource.folder', what, `Run '${formatPullCommand(release, folder)}'`);
    });
}
