import { type Locate, locateAll } from '../../api/kinds';
import { FleetwrightError } from '../../base/errors';
import type { MemoryFindings } from '../engine-memory-findings';

/**
 * Rejects engines that cannot start on the GPUs that they are placed on.
 *
 * @throws FleetwrightError with every such engine
 */
export function refuseUnservableEngines({ findings }: MemoryFindings, locate: Locate): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new FleetwrightError(locateAll(errors, locate));
}
