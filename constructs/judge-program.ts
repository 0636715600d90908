import { namedByProgram } from '../src/files/named-files';
import { judgeFleet, type PartRule, type ReadFleet } from '../src/files/read-fleet';
import { constructLocator } from '../src/manifest/emission';
import type { Declarations } from './declarations';

/**
 * The fleet that constructs declare, found by construct paths. Files that they name are looked up from the working
 * directory.
 *
 * @param rule asked of the sound resources where a file is broken. Default: none
 * @throws FleetwrightError with everything that is wrong
 */
export function judgeProgram({ resources, constructs }: Declarations, rule?: PartRule): ReadFleet {
  const locate = constructLocator(constructs);
  const named = namedByProgram(resources, locate, '.');
  return judgeFleet({ resources, locate, ignored: [], ...named }, rule);
}
