import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Path } from '../../api/resource';
import { SIGNAL_MEASURES } from '../../api/engine-copies';
import type { ScalingSignal } from '../../api/scaling';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import { profileOf } from '../runtime-detection';

/** Checks that engines measure the signals by which they scale. */
export const checkScalingSignals: FleetCheck = function* ({ deployments }) {
  for (const deployment of deployments) {
    for (const [e, engine] of deployment.spec.template.spec.engines.entries()) {
      for (const [s, signal] of (engine.scaling?.on ?? []).entries()) {
        const at = ['spec', 'template', 'spec', 'engines', e, 'scaling', 'on', s];
        yield* checkSignal(signal, at, { deployment, e });
      }
    }
  }
};

type Builtin = keyof typeof SIGNAL_MEASURES;

function* checkSignal(
  signal: ScalingSignal,
  at: Path,
  { deployment, e }: { readonly deployment: ModelDeployment; readonly e: number },
): Iterable<Diagnostic<ResourcePath>> {
  const engine = deployment.spec.template.spec.engines[e];
  if (!engine || engine.members.length === 0) return;
  const { profile } = profileOf(deployment, engine);
  const names = profile.metrics?.names ?? {};
  const all = Object.keys(SIGNAL_MEASURES) as Builtin[];
  for (const name of all) {
    if (signal[name] === undefined || names[SIGNAL_MEASURES[name]]) continue;
    const known = all.filter((one) => names[SIGNAL_MEASURES[one]]);
    const other = known.length > 0 ? `Use ${known.join(' or ')}, or write` : 'Write';
    const what = `${profile.title} has no metric for '${name}'`;
    yield errorAt('no-metric', { resource: deployment, path: [...at, name] }, what, `${other} a query: 'prometheus'`);
  }
}
