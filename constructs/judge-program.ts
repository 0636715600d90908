import { attempt } from '../src/attempt';
import { FleetwrightError } from '../src/errors';
import { namedByProgram } from '../src/files/named-files';
import { judgeFleet, type PartRule, type ReadFleet } from '../src/files/read-fleet';
import { constructLocator } from '../src/manifest/emission';
import type { Declarations } from './declarations';

/**
 * The fleet that constructs declare, found by construct paths. Files that they name are looked up from the working
 * directory.
 *
 * @param rule asked where something is wrong, of all that could be read. Default: none
 * @throws FleetwrightError with everything that is wrong
 */
export function judgeProgram(declarations: Declarations, rule?: PartRule): ReadFleet {
  const { resources, constructs, problems, unread } = declarations;
  const locate = constructLocator(constructs);
  const named = attempt(() => namedByProgram(resources, locate, '.'));
  if ('problems' in named) throw new FleetwrightError([...problems, ...named.problems]);
  return judgeFleet({ resources, locate, ignored: [], problems, unread, ...named.value }, rule);
}
