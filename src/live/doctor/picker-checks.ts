import type { Fleet } from '../../fleet/fleet';
import { type CheckResult, reportFailure, reportOk, reportUnlisted } from '../finding';
import { objectsOf } from '../listing';
import { describePickerLoss, judgePicker } from '../picker-health';
import type { DoctorCheck } from './check';

/** Checks that the endpoint pickers of a cluster answer. Those that are not installed yet are not missed. */
export const endpointPickerCheck: DoctorCheck = {
  name: 'endpoint-pickers',
  look({ fleet, seen: { lists } }): readonly CheckResult[] {
    if (!canHavePickers(fleet)) return [];
    if ('missing' in lists.pickers) return reportUnlisted(lists.pickers, 'Deployments of endpoint pickers');
    const pods = objectsOf(lists.pods);
    const judged = lists.pickers.objects.map((picker) => ({ picker, health: judgePicker(picker, pods) }));
    const down = judged.filter(({ health }) => health.state !== 'ready');
    if (down.length === 0) return judged.length === 0 ? [] : [reportOk('all endpoint pickers answer')];
    return down.map(({ picker, health }) => reportFailure(describePickerLoss(health, picker), HINT));
  },
};

const HINT = "Check its pods with 'kubectl describe'";

function canHavePickers({ services, deployments, settings }: Fleet): boolean {
  return (
    settings?.spec.defaults.picker === 'PrefixCache' ||
    services.some(({ spec }) => spec.picker !== undefined) ||
    deployments.some(({ spec }) => spec.template.spec.serving.mode === 'PrefillDecode')
  );
}
