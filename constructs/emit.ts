import { attempt, problemsOf } from '../src/attempt';
import { absolutePath } from '../src/files/program-folder';
import { writeFileAtomic } from '../src/files/write-file';
import { EMIT_VARIABLE, formatEmission, formatProblems } from '../src/manifest/emission';
import { type Declarations, declarationsOf } from './declarations';
import { type FleetScope, isFleet } from './fleet-of';
import { judgeProgram } from './judge-program';

/** What else the command line has to know of a program. */
interface Program {
  /** The path of the lock that it reads, if it reads one. */
  readonly lock: string | undefined;

  /** The names of the renderers that it brings. */
  readonly renderers: readonly string[];
}

/** The declarations of a fleet, which may be wrong. They end here where the command line has asked for them. */
export function declarationsHere(fleet: FleetScope, { lock, renderers }: Program): Declarations {
  const declared = declarationsOf(fleet);
  const declarations = { ...declared, renderers, ...(lock !== undefined && { lock: absolutePath(lock) }) };
  emitIfAsked(fleet, declarations);
  return declarations;
}

/**
 * Hands the declarations to the command line that runs this program, if one does, and ends the program: what
 * follows `place()` is for those who run it themselves.
 */
function emitIfAsked(fleet: FleetScope, declarations: Declarations): void {
  const file = process.env[EMIT_VARIABLE];
  if (!file) return;
  writeFileAtomic(file, emission(fleet, declarations));
  process.exit(0);
}

function emission(fleet: FleetScope, declarations: Declarations): string {
  const { problems } = declarations;
  const others = fleet.node.root.node.findAll().filter((one) => isFleet(one) && one !== fleet);
  if (others.length > 0) {
    const { path } = fleet.node;
    const hint = 'Give each fleet a program of its own';
    const what = `the program has ${others.length + 1} fleets, and the command line plans one`;
    return formatProblems([{ code: 'many-fleets', where: path, what, hint }]);
  }
  if (problems.length === 0) return formatEmission(declarations);
  return formatProblems(problemsOf(attempt(() => judgeProgram(declarations))));
}
