import { namedByProgram } from '../src/files/named-files';
import { judgeFleet } from '../src/files/read-fleet';
import type { Locate } from '../src/api/locate';
import { constructLocator } from '../src/manifest/emission';
import { type Decision, decide } from '../src/plan/decide';
import type { Renderer } from '../src/render/renderer';
import type { Lock } from '../src/scheduler/lock';
import type { Declarations } from './declarations';

/** A fleet of constructs that was decided. */
export interface DecidedProgram {
  readonly decision: Decision;

  /** Finds construct paths. */
  readonly locate: Locate;
}

/**
 * Decides what constructs declare. Files that they name are looked up from the working directory.
 *
 * @throws FleetwrightError with everything that is wrong
 */
export function decideProgram(
  { resources, constructs }: Declarations,
  lock: Lock,
  renderers: readonly Renderer[],
): DecidedProgram {
  const locate = constructLocator(constructs);
  const named = namedByProgram(resources, locate, '.');
  const read = judgeFleet({ resources, locate, ignored: [], ...named });
  return { decision: decide(read.fleet, locate, lock, { ...read, renderers }), locate };
}
