import { type Attack, ATTACKS, LIVE_ATTACKS, pickAttack, SMOKE_ATTACKS } from './attacks';
import type { Specimen } from './corpus';
import { edit } from './edits';
import { bytesOf, type Files, textOf } from './files';
import { type Hostility, SCOPES } from './hostile-server';
import { CONTEXTS, SERVER_PLACEHOLDER } from './kubeconfig';
import { Random } from './random';
import { SERVER_CASES } from './server-cases';

/** One input: files, and a command that takes them. It follows from a seed and a number alone. */
export interface Input {
  readonly specimen: string;
  readonly attack: Attack;
  readonly command: string;
  readonly files: Files;

  /** What was changed, in words. */
  readonly edits: readonly string[];
  readonly hostility?: Hostility;

  /** Whether it runs as a process of its own. */
  readonly asProcess: boolean;
}

export interface InputId {
  readonly seed: number;
  readonly number: number;

  /** The edits to leave out, to find those that matter. */
  readonly without: readonly number[];
}

/** How many edits inputs have. Most have one, because what is wrong elsewhere hides what it does. */
const EDIT_COUNTS: readonly number[] = [1, 1, 1, 2, 3];

/** Of ten inputs, two speak to a hostile server, one has a changed kubeconfig, and one is a process of its own. */
export function createInput(corpus: readonly Specimen[], id: InputId): Input {
  const turn = id.number % 10;
  if (turn === 1 || turn === 2) return serverInput(corpus, id);
  if (turn === 3) return kubeconfigInput(corpus, id);
  return fileInput(corpus, id, turn === 0);
}

function fileInput(corpus: readonly Specimen[], id: InputId, asProcess: boolean): Input {
  const random = new Random(id.seed, id.number);
  const specimen = random.chance(0.5) ? everyKindOf(corpus) : random.pick(corpus);
  const attack = pickAttack(ATTACKS, specimen, random);
  const only = (path: string): boolean => /^(fleet\/|earlier\/|saved\.json)/.test(path) && isUsed(path, attack);
  return { ...edited(specimen, id, only), specimen: specimen.name, attack, command: attack.command, asProcess };
}

/** Files of an earlier state count only where a command reads them. */
function isUsed(path: string, { command }: Attack): boolean {
  if (path.startsWith('earlier/')) return command.includes('--against earlier');
  return path !== 'saved.json' || command.includes('saved.json');
}

function serverInput(corpus: readonly Specimen[], { seed, number }: InputId): Input {
  const random = new Random(seed, number);
  const specimen = everyKindOf(corpus);
  const attack = pickAttack(random.chance(0.3) ? SMOKE_ATTACKS : LIVE_ATTACKS, specimen, random);
  // Each case has its turn before one has its second.
  const one =
    SERVER_CASES[(Math.floor(number / 10) * 2 + (number % 10)) % SERVER_CASES.length] ?? random.pick(SERVER_CASES);
  const hostility: Hostility = { one, scope: random.pick(SCOPES), seed: `${seed} ${number}` };
  return {
    specimen: specimen.name,
    attack,
    command: attack.command.replaceAll('{context}', random.pick(CONTEXTS)),
    files: specimen.files,
    edits: [`a server with ${one.name}, for ${hostility.scope}`],
    hostility,
    asProcess: false,
  };
}

const HONEST: Hostility = {
  one: { name: 'honest answers', answer: () => undefined },
  scope: 'every request',
  seed: '',
};

function kubeconfigInput(corpus: readonly Specimen[], id: InputId): Input {
  const random = new Random(id.seed, id.number);
  const specimen = everyKindOf(corpus);
  const attack = pickAttack(LIVE_ATTACKS, specimen, random);
  const command = attack.command.replaceAll('{context}', random.pick(CONTEXTS));
  const changed = edited(specimen, id, (path) => path === 'kubeconfig.yaml');
  return { ...changed, specimen: specimen.name, attack, command, hostility: HONEST, asProcess: false };
}

function everyKindOf(corpus: readonly Specimen[]): Specimen {
  const found = corpus.find(({ name }) => name === 'every-kind');
  if (!found) throw new Error('the corpus lacks the fleet with a file of every kind');
  return found;
}

/** Each edit has random numbers of its own, so that the others stay when one is left out. */
function edited({ files }: Specimen, { seed, number, without }: InputId, only: (path: string) => boolean) {
  let changed = files;
  const edits: string[] = [];
  const count = new Random(seed, number, 'edits').pick(EDIT_COUNTS);
  for (let i = 0; i < count; i++) {
    if (without.includes(i)) continue;
    const { files: next, name } = edit(changed, only, new Random(seed, number, 'edit', i));
    changed = next;
    edits.push(`${i}: ${name}`);
  }
  return { files: changed, edits };
}

/** The files with the address of the server that answers them. */
export function withServer(files: Files, url: string): Files {
  const kubeconfig = files['kubeconfig.yaml'];
  if (kubeconfig === undefined) return files;
  return { ...files, 'kubeconfig.yaml': bytesOf(textOf(kubeconfig).replaceAll(SERVER_PLACEHOLDER, url)) };
}
