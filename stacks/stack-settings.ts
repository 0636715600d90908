import { type Config, runtime, secret } from '@pulumi/pulumi';
import { FleetwrightError, type Problem } from '../src/errors';
import { nearest } from '../src/nearest';
import { isBlank } from './blank-text';
import type { FleetStackArgs } from './fleet-stack-args';
import { setKubeconfig } from './set-kubeconfig';

/** The fleet of a project that does not say which. */
const DEFAULT_FLEET = 'examples/quickstart';

/** Settings that are one of a few words. */
const WORDS = {
  lockMode: ['require', 'ephemeral'],
  workloads: ['resources', 'files'],
  waves: ['true', 'false'],
  precheck: ['true', 'false'],
} as const;

/** Settings that are any text. */
const TEXTS = ['fleet', 'cluster', 'lock', 'out'] as const;

/** All settings. */
const NAMES: readonly string[] = [...TEXTS, 'kubeconfigs', ...Object.keys(WORDS)];

/**
 * What the configuration of a Pulumi stack says: `fleetwright:fleet`, `cluster`, `lock`, `lockMode`, `workloads`,
 * `out`, `waves`, `precheck`, and the kubeconfigs of clusters as secrets below `kubeconfigs`.
 *
 * @throws FleetwrightError with everything that is wrong with it
 */
export function stackSettings(config: Config): FleetStackArgs {
  const [cluster, lock, out] = ['cluster', 'lock', 'out'].map((key) => config.get(key));
  const lockMode = wordOf('lockMode', config);
  const workloads = wordOf('workloads', config);
  const waves = wordOf('waves', config);
  const precheck = wordOf('precheck', config);
  const read = kubeconfigsOf(config);
  const all = [lockMode, workloads, waves, precheck, read].flatMap(({ problems }) => problems);
  all.push(...emptyTexts(config), ...unknownSettings(config));
  if (all.length > 0) throw new FleetwrightError(all);
  return {
    fleet: config.get('fleet') ?? DEFAULT_FLEET,
    ...(cluster !== undefined && { cluster }),
    ...(lock !== undefined && { lock }),
    ...(out !== undefined && { out }),
    ...(lockMode.word !== undefined && { lockMode: lockMode.word }),
    ...(workloads.word !== undefined && { workloads: workloads.word }),
    ...(waves.word !== undefined && { waves: waves.word === 'true' }),
    ...(precheck.word !== undefined && { precheck: precheck.word === 'true' }),
    kubeconfigs: read.kubeconfigs,
  };
}

/** What is set to nothing, as by a variable of a shell that is not there: it would name no file and no cluster. */
function emptyTexts(config: Config): Problem[] {
  return TEXTS.filter((key) => isBlank(config.get(key))).map((key) =>
    bad(key, EMPTY, `Set it, or run 'pulumi config rm fleetwright:${key}'`),
  );
}

const EMPTY = 'it is empty';

/** Names that are no setting: one that is misspelt would be left at its default, and nobody would know. */
function unknownSettings({ name }: Config): Problem[] {
  const own = Object.keys(runtime.allConfig()).filter((key) => key.startsWith(`${name}:`));
  return own
    .map((key) => key.slice(name.length + 1))
    .filter((key) => !NAMES.includes(key))
    .map((key) => {
      const meant = nearest(key, NAMES);
      return bad(
        key,
        'there is no such setting',
        meant ? `Use '${meant}'` : `Use one of ${NAMES.join(', ')}`,
      );
    });
}

function wordOf<K extends keyof typeof WORDS>(
  key: K,
  config: Config,
): { word?: (typeof WORDS)[K][number]; problems: readonly Problem[] } {
  const text = config.get(key);
  if (text === undefined) return { problems: [] };
  const words: readonly (typeof WORDS)[K][number][] = WORDS[key];
  const word = words.find((one) => one === text);
  if (word !== undefined) return { word, problems: [] };
  const hint = `Use ${nearest(text, words) ?? words.join(' or ')}`;
  return { problems: [bad(key, `'${text}' is no value of it`, hint)] };
}

function kubeconfigsOf(config: Config) {
  const values = objectOf(config);
  if (values === undefined) {
    const hint = `Set each by itself: ${setKubeconfig('CLUSTER')}`;
    return { kubeconfigs: {}, problems: [bad('kubeconfigs', 'it is no map of kubeconfigs', hint)] };
  }
  const problems = values
    .filter(([, value]) => isBlank(value))
    .map(([name]) => bad(`kubeconfigs.${name}`, EMPTY, `Run ${setKubeconfig(name)}`));
  // Secrets of the configuration come as plain values, and are none any more unless somebody says so.
  const kubeconfigs = values.map(([name, value]) => [name, secret(value)] as const);
  return { kubeconfigs: Object.fromEntries(kubeconfigs), problems };
}

/** Never what is wrong with the text of it: that would tell secrets. */
function objectOf(config: Config): [string, string][] | undefined {
  if (config.get('kubeconfigs') === undefined) return [];
  try {
    const value: unknown = config.getObject('kubeconfigs');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
      ? entries
      : undefined;
  } catch {
    return undefined;
  }
}

function bad(key: string, what: string, hint: string): Problem {
  return { code: 'bad-setting', where: `fleetwright:${key}`, what, hint };
}
