import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from '../kubernetes/harness/setup-error';
import { environment, runHere } from './command';
import { below, type Files, readFiles, writeFiles } from './files';
import { formatKubeconfig } from './kubeconfig';

const EXAMPLES = join(__dirname, '../../examples');

/** A fleet whose files an input changes. */
export interface Specimen {
  readonly name: string;

  /** The fleet in `fleet/`, what it was before in `earlier/`, its output in `out/`, and files for flags. */
  readonly files: Files;
}

/** Files of examples that no command reads. */
const UNREAD = /^(expected|tools|README\.md|resources\.txt|Pulumi\.yaml)(\/|$)|\.ts$/;

/** Every fleet that is attacked: one with a file of every kind, those of the examples, and that of a program. */
export async function gatherCorpus(work: string): Promise<readonly Specimen[]> {
  const own = await everyKind(work);
  const names = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'fleet.lock.yaml')));
  const examples = names.filter((name) => !existsSync(join(EXAMPLES, name, 'cdk8s.yaml'))).map(example);
  return [own, ...examples, program()];
}

/** The fleet of `fleet/`, locked and written, with a plan of it and a kubeconfig. */
async function everyKind(work: string): Promise<Specimen> {
  const fleet = readFiles(join(__dirname, 'fleet'));
  writeFiles(work, below('fleet', fleet));
  process.chdir(work);
  for (const command of ['lock fleet', 'synth fleet -o out', 'plan fleet --save saved.json']) {
    const { code, err } = await runHere(command.split(' '), environment(dirname(work)));
    if (code !== 0) throw new SetupError(`the fleet of test/attack/fleet must pass '${command}': ${err}`);
  }
  const files = readFiles(work);
  const earlier = Object.fromEntries(Object.entries(fleet).map(([path, content]) => [`earlier/${path}`, content]));
  return { name: 'every-kind', files: { ...files, ...earlier, 'kubeconfig.yaml': formatKubeconfig() } };
}

function example(name: string): Specimen {
  const folder = join(EXAMPLES, name);
  const fleet = readFiles(folder, (path) => !UNREAD.test(path));
  const out = readFiles(join(folder, 'expected'));
  return {
    name,
    files: { ...below('fleet', fleet), ...below('earlier', fleet), ...below('out', out) },
  };
}

/** A program that declares what a file holds, so that an input can change what programs declare. */
function program(): Specimen {
  const folder = join(EXAMPLES, 'quickstart-program');
  const hook = join(EXAMPLES, '../scripts/typescript-hook.cjs');
  const { stdout } = spawnSync(process.execPath, ['-r', hook, 'main.ts'], {
    cwd: folder,
    env: { ...process.env, FLEETWRIGHT_EMIT: '/dev/stdout' },
    encoding: 'latin1',
  });
  // The first line names the lock of the example.
  const emitted = stdout.slice(stdout.indexOf('\n') + 1);
  const lock = readFileSync(join(folder, 'fleet.lock.yaml'), 'latin1');
  const files = {
    'fleet/cdk8s.yaml': 'language: typescript\napp: cat declared.yaml > "$FLEETWRIGHT_EMIT"\n',
    'fleet/declared.yaml': emitted,
    'fleet/fleet.lock.yaml': lock,
  };
  return { name: 'program', files };
}
