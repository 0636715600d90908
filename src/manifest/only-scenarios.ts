import { anchorsIn } from './anchors';
import { dataFormOf } from './data-forms';
import { readDocuments } from './documents';
import { LIMITS } from './limits';
import { openSource, type SourceFile } from './source';

/** Whether a file holds scenarios for `fleetwright what-if` and nothing else: the fleet is the same without it. */
export function holdsOnlyScenarios(file: SourceFile): boolean {
  return [...readDocuments(openSource(file), LIMITS)].every((one) => {
    const root = 'document' in one && one.document.contents;
    return root && dataFormOf(root, anchorsIn(root))?.noun === 'scenarios';
  });
}
