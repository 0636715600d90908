import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { readHandwritten } from './handwritten-fields';

/** What the fields of an engine say against its model. */
export function* findContradictions(deployment: ModelDeployment): Iterable<Diagnostic<ResourcePath>> {
  const { engine, profile, member, nodes = 1, tensor, devices } = readHandwritten(deployment);
  const at = (...path: (string | number)[]): ResourcePath => ({
    resource: deployment,
    path: ['spec', 'template', 'spec', 'engines', 0, ...path],
  });
  if (!engine) return;
  if (engine.runtime !== undefined && engine.runtime !== profile.runtime) {
    const what = `the runtime is ${engine.runtime} here, and spec.model.engine is ${profile.runtime}`;
    yield errorAt('contradiction', at('runtime'), what, 'Remove one of the two');
  }
  const index = member ? engine.members.indexOf(member) : -1;
  for (const [d, { firstAvailable }] of (member?.nodeSelector?.devices ?? []).entries()) {
    if (firstAvailable.length === 0) continue;
    const path = at('members', index, 'nodeSelector', 'devices', d, 'firstAvailable');
    const what =
      "the number of GPUs depends on the alternative, and 'spec.model' divides the model over a fixed number";
    yield errorAt('contradiction', path, what, "Write 'count' and 'where', or name classes at spec.model.hardware");
  }
  if (tensor !== undefined && devices !== undefined && nodes === 1 && devices % tensor !== 0) {
    const what = `the engine divides the model over ${tensor} GPUs, and its pod claims ${devices}`;
    yield errorAt('contradiction', at('members', index, 'nodeSelector', 'devices'), what, 'Make them equal');
  }
}
