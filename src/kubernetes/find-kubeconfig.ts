import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { readFileIfThere } from '../files/read-file';
import { FleetwrightError } from '../errors';
import { type Kubeconfig, readKubeconfigs } from '../live/kubeconfig';
import type { Environment, InEnvironment } from './environment';

/**
 * Reads the kubeconfig that a user names, else the files of `KUBECONFIG`, else `~/.kube/config`. Of the second and
 * third, files that are not there are passed over, as kubectl does.
 */
export function findKubeconfig(named: string | undefined, { env }: InEnvironment): Kubeconfig {
  if (named !== undefined && !existsSync(named)) throw noFile(named);
  const paths = named === undefined ? usualPaths(env) : [named];
  const files = paths.flatMap((path) => {
    const text = readFileIfThere(path);
    return text === undefined ? [] : [{ path: resolve(path), text }];
  });
  return readKubeconfigs(files);
}

function usualPaths({ KUBECONFIG = '', HOME }: Environment): string[] {
  const listed = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(HOME ?? homedir(), '.kube', 'config')];
}

function noFile(path: string): FleetwrightError {
  const what = 'there is no such file';
  return new FleetwrightError([{ code: 'bad-kubeconfig', where: path, what, hint: 'Check the path' }]);
}
