import { backendTypeOf, kserveMinorOf } from '../../api/kubernetes-features';
import { listAt, textAt } from '../../base/json';
import { KSERVE } from '../../catalog/backends';
import { type CheckResult, reportFailure, reportOk, reportUnknown, reportUnlisted, reportWarning } from '../finding';
import type { LiveObject } from '../live-object';
import { type DoctorCheck, isPendingInstall } from './check';

/** Checks that the controller of KServe runs, in the version that the plan counts with. */
export const kserveVersionCheck: DoctorCheck = {
  name: 'kserve',
  look(examined): readonly CheckResult[] {
    const { cluster, seen } = examined;
    if (backendTypeOf(cluster) !== 'KServe' || isPendingInstall('kserve', examined)) return [];
    if ('missing' in seen.lists.kserve) return reportUnlisted(seen.lists.kserve, 'the controller of KServe');
    const [controller] = seen.lists.kserve.objects;
    if (!controller) {
      return [reportFailure('the controller of KServe does not exist', 'Install the chart kserve-llmisvc-resources')];
    }
    return [
      compareVersions(imageTagOf(controller), {
        declared: cluster.spec.backend?.version ?? KSERVE.version,
        minor: kserveMinorOf(cluster),
      }),
    ];
  },
};

const HINT = 'Set spec.backend.version to the version on the cluster';

interface DeclaredVersion {
  readonly declared: string;
  readonly minor: number;
}

function compareVersions(tag: string, { declared, minor }: DeclaredVersion): CheckResult {
  const [, installed] = /^v?0\.(\d+)(?:\D|$)/.exec(tag) ?? [];
  if (installed === undefined) {
    return reportUnknown(`the version of KServe cannot be read from its image tag '${tag}'`, HINT);
  }
  const what = `KServe has version ${tag}, and spec.backend.version is ${declared}`;
  if (Number(installed) < minor) return reportFailure(`${what}: the plan uses fields that it does not have`, HINT);
  return Number(installed) > minor ? reportWarning(what, HINT) : reportOk(`KServe has version ${tag}`);
}

function imageTagOf(deployment: LiveObject): string {
  const image = textAt(listAt(deployment, ['spec', 'template', 'spec', 'containers'])[0], ['image']);
  return image.slice(image.lastIndexOf(':') + 1);
}
