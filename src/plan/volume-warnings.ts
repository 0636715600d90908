import type { Fault } from '../api/checks/fault';
import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { type Path, qualifiedName } from '../api/resource';
import type { Fleet } from '../fleet';
import { linesOf } from '../scheduler/lines';
import type { Placement } from '../scheduler/types';

/** The driver of Cloud Storage FUSE (GoogleCloudPlatform/gcs-fuse-csi-driver), which volumes of pods name. */
const GCS_FUSE = 'gcsfuse.csi.storage.gke.io';

/** Buckets that pods mount, on clusters whose cloud is not told to bring the driver for it. */
export function volumeWarnings({ deployments, clusters }: Fleet, placements: readonly Placement[]): Fault[] {
  const without = clusters.filter(lacksGcsFuse);
  if (without.length === 0) return [];
  const lines = linesOf(placements);
  return deployments.flatMap((deployment) => {
    const mounts = bucketsOf(deployment);
    if (mounts.length === 0) return [];
    const own = new Set(lines.get(qualifiedName(deployment))?.map(({ cluster }) => cluster));
    const cluster = without.find(({ metadata }) => own.has(metadata.name));
    if (!cluster) return [];
    return mounts.map(({ name, path }) => ({
      code: 'no-volume-driver',
      resource: deployment,
      path,
      what: `volume '${name}' needs ${GCS_FUSE}, which ${resourceId(cluster)} does not have`,
      hint: "Set 'gcsFuse: true' at spec.cluster.gke.addons of the cluster",
    }));
  });
}

function lacksGcsFuse({ spec: { cluster } }: InferenceCluster): boolean {
  return cluster.source === 'GKE' && cluster.gke?.addons.gcsFuse === false;
}

function bucketsOf({ spec }: ModelDeployment): { readonly name: string; readonly path: Path }[] {
  return spec.template.spec.engines.flatMap(({ members }, e) =>
    members.flatMap(({ template }, m) =>
      (template.spec.volumes ?? []).flatMap(({ name, csi }, v) => {
        const at = ['engines', e, 'members', m, 'template', 'spec', 'volumes', v, 'csi', 'driver'];
        return csi?.driver === GCS_FUSE ? [{ name, path: ['spec', 'template', 'spec', ...at] }] : [];
      }),
    ),
  );
}
