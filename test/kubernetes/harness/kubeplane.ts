import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from './built';
import { go, goVersion } from './go';
import { BUILDS, MODULE } from './paths';

/** The version of Kubernetes that the module pins. */
export const KUBERNETES = /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8'))?.[1] ?? '';

/** The path of the control plane's program, built where this version of it is not at hand yet. */
export async function kubeplane(): Promise<string> {
  const version = goVersion();
  const folder = await built({
    name: 'kubeplane',
    what: `Kubernetes ${KUBERNETES} with Go ${version}`,
    cache: BUILDS,
    module: MODULE,
    inputs: [version, ...FLAGS],
    into: compile,
  });
  return join(folder, PROGRAM);
}

const PROGRAM = 'kubeplane';

async function compile(folder: string): Promise<void> {
  await go(['build', ...FLAGS, '-o', join(folder, PROGRAM), '.'], { cwd: MODULE });
}

/** A program without symbols and debugging data, which no one reads. */
const FLAGS = [
  '-trimpath',
  `-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=${KUBERNETES}`,
  '-gcflags=all=-dwarf=false',
];
