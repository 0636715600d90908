import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import type { ModelService } from '../../api/model-service';
import { pickerOf } from '../edge-backends';
import type { EdgeTarget } from '../select';
import type { Scene } from './scene';

/** Services that ask for an endpoint picker, as the two engines of a pair do: no gateway of ours has one. */
export function* picksWithoutPicker({ standings, selections }: Scene): Iterable<Fault> {
  if (standings.length === 0) return;
  for (const { service, rules } of selections) {
    const targets = rules.flatMap((rule) => rule.targets);
    const picked = targets.filter(
      (target): target is EdgeTarget =>
        target.kind === 'Edge' && pickerOf(service, target).kind === 'PrefixCache',
    );
    const pair = picked.find(
      ({ deployment }) => deployment.spec.template.spec.serving.mode === 'PrefillDecode',
    );
    if (picked.length > 0) yield toldOf(service, pair);
  }
}

function toldOf(service: ModelService, pair: EdgeTarget | undefined): Fault {
  const declared = service.spec.picker !== undefined;
  const idle = pair ? `, and the engine for prefill of ${resourceId(pair.deployment)} gets none` : '';
  return {
    code: 'no-endpoint-picker',
    resource: service,
    path: declared ? ['spec', 'picker'] : ['spec', 'endpoints'],
    what: `no gateway has an endpoint picker: a request goes to the pod with the fewest${idle}`,
    hint: "Set 'picker: LeastRequest' where that is enough",
  };
}
