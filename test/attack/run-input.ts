import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, type Ran, runAsProcess, runHere } from './command';
import { type Files, readFiles, textOf, writeFiles } from './files';
import { HostileServer } from './hostile-server';
import { type Input, withServer } from './input';
import { judge } from './judge';
import type { Outcome } from './worker';

/** Runs an input in a folder of its own and judges what came of it. */
export async function runInput(input: Input): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-attack-'));
  const server = input.hostility && (await HostileServer.start(input.files, input.hostility));
  try {
    return await judged(input, folder, server?.url ?? '');
  } finally {
    server?.stop();
    process.chdir(tmpdir());
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judged(input: Input, folder: string, url: string): Promise<Outcome> {
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  mkdirSync(home);
  mkdirSync(work);
  const files = withServer(input.files, url);
  writeFiles(work, files);
  const before = readFiles(work);
  const ran = await run(input, { work, home, url }, files);
  const { attack, command } = input;
  const breaches = judge({
    ran,
    command,
    before,
    after: readFiles(work),
    mayWrite: (path) => attack.writes?.test(path) ?? false,
    showsDeclarations: attack.showsDeclarations ?? false,
  });
  return { breaches, code: ran.code };
}

interface Place {
  readonly work: string;
  readonly home: string;
  readonly url: string;
}

async function run({ command, attack, asProcess }: Input, { work, home, url }: Place, files: Files): Promise<Ran> {
  const args = command.replaceAll('{url}', url).split(' ');
  const env = { ...environment(home), ...attack.env };
  const manifests = Object.keys(files).filter(
    (path) => /^fleet\/[^/]*\.yaml$/.test(path) && !path.endsWith('.lock.yaml'),
  );
  const stdin = args.includes('-') ? manifests.map((path) => textOf(files[path] ?? '')).join('---\n') : '';
  if (asProcess) return runAsProcess(args, env, { folder: work, stdin });
  process.chdir(work);
  return runHere(args, env, stdin);
}
