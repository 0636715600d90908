import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../../kubernetes/harness/built';
import { go, goVersion } from '../../kubernetes/harness/go';
import { BUILDS, PROMETHEUS_MODULE } from './paths';

/** The version of Prometheus that the module pins. */
export const PROMETHEUS =
  /github\.com\/prometheus\/prometheus (v\S+)/.exec(readFileSync(join(PROMETHEUS_MODULE, 'go.mod'), 'utf8'))?.[1] ?? '';

/** The programs of Prometheus, without service discovery of clouds: tests configure static targets. */
const FLAGS = ['-trimpath', '-ldflags=-s -w', '-gcflags=all=-dwarf=false', '-tags=remove_all_sd'];

/** The path of a program of Prometheus, built where this version is not in the cache. */
export async function prometheusProgram(name: 'prometheus' | 'promtool'): Promise<string> {
  const version = goVersion(PROMETHEUS_MODULE, 'Prometheus');
  const folder = await built({
    name,
    what: `${name} ${PROMETHEUS} with Go ${version}`,
    cache: BUILDS,
    module: PROMETHEUS_MODULE,
    inputs: [version, ...FLAGS],
    into: async (target) => {
      const program = `github.com/prometheus/prometheus/cmd/${name}`;
      await go(['build', ...FLAGS, '-o', join(target, name), program], { cwd: PROMETHEUS_MODULE });
    },
  });
  return join(folder, name);
}
