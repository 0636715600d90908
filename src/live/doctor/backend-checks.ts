import { backendMinorOf, backendTypeOf, backendVersionOf } from '../../api/kubernetes-features';
import type { ReleaseName } from '../../api/serving-stack';
import { listAt, textAt } from '../../base/json';
import { BACKEND_VERSIONS } from '../../catalog/backends';
import { type CheckResult, reportFailure, reportOk, reportUnknown, reportUnlisted, reportWarning } from '../finding';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { type DoctorCheck, isPendingInstall } from './check';

/** What runs the objects of each software for pods: its list, which the release that brings it is called, too. */
const CONTROLLERS = {
  KServe: { list: 'kserve', controller: 'the controller of KServe', chart: 'kserve-llmisvc-resources' },
  Dynamo: { list: 'dynamo', controller: 'the operator of Dynamo', chart: 'dynamo-platform' },
} as const satisfies Readonly<
  Record<
    keyof typeof BACKEND_VERSIONS,
    { readonly list: ReleaseName; readonly controller: string; readonly chart: string }
  >
>;

/** Checks that the software for pods runs, in the version that the plan counts with. */
export const backendVersionChecks: readonly DoctorCheck[] = (['KServe', 'Dynamo'] as const).map((type) => {
  const { list, controller, chart } = CONTROLLERS[type];
  return {
    name: list,
    look(examined): readonly CheckResult[] {
      const { cluster, seen } = examined;
      if (backendTypeOf(cluster) !== type || isPendingInstall(list, examined)) return [];
      const listed = seen.lists[list];
      if ('missing' in listed) return reportUnlisted(listed, controller);
      const [found] = listed.objects;
      if (!found) return [reportFailure(`${controller} does not exist`, `Install the chart ${chart}`)];
      const declared = { type, version: backendVersionOf(cluster), minor: backendMinorOf(cluster) };
      return [compareVersions(imageTagOf(found), declared)];
    },
  };
});

const HINT = 'Set spec.backend.version to the version on the cluster';

interface DeclaredVersion {
  readonly type: keyof typeof BACKEND_VERSIONS;
  readonly version: string;
  readonly minor: number;
}

function compareVersions(tag: string, { type, version, minor }: DeclaredVersion): CheckResult {
  const [, major, installed] = /^v?(\d+)\.(\d+)(?:\D|$)/.exec(tag) ?? [];
  if (installed === undefined || Number(major) !== BACKEND_VERSIONS[type].major) {
    return reportUnknown(`the version of ${type} cannot be read from its image tag '${tag}'`, HINT);
  }
  const what = `${type} has version ${tag}, and spec.backend.version is ${version}`;
  if (Number(installed) < minor) return reportFailure(`${what}: the plan uses fields that it does not have`, HINT);
  return Number(installed) > minor ? reportWarning(what, HINT) : reportOk(`${type} has version ${tag}`);
}

function imageTagOf(deployment: LiveObject): string {
  const image = textAt(listAt(deployment, ['spec', 'template', 'spec', 'containers'])[0], ['image']);
  return image.slice(image.lastIndexOf(':') + 1);
}
