import { type Locate, locateAll, type ResourcePath } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';

/**
 * Rejects engines that cannot start on the GPUs that they are placed on.
 *
 * @throws FleetwrightError with every such engine
 */
export function refuseUnservableEngines(findings: readonly Diagnostic<ResourcePath>[], locate: Locate): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new FleetwrightError(locateAll(errors, locate));
}
