import { type Config, runtime, secret } from '@pulumi/pulumi';
import { type Diagnostic, errorAt } from '../src/base/diagnostic';
import { FleetwrightError } from '../src/base/errors';
import { suggestName } from '../src/base/name-suggestion';
import { formatSetKubeconfig, isBlank } from './config-values';
import type { FleetStackArgs } from './fleet-stack-args';

/** The fleet of a project that does not say which. */
const DEFAULT_FLEET = 'examples/quickstart';

/** Settings that are one of a few words. */
const ENUM_SETTINGS = {
  lockMode: ['require', 'ephemeral'],
  workloads: ['resources', 'files'],
  waves: ['true', 'false'],
  precheck: ['true', 'false'],
} as const;

/** Settings that are any text. */
const TEXT_SETTINGS = ['fleet', 'cluster', 'lock', 'out'] as const;

/** All settings. */
const SETTING_NAMES: readonly string[] = [...TEXT_SETTINGS, 'kubeconfigs', ...Object.keys(ENUM_SETTINGS)];

/**
 * What the configuration of a Pulumi stack says: `fleetwright:fleet`, `cluster`, `lock`, `lockMode`, `workloads`,
 * `out`, `waves`, `precheck`, and the kubeconfigs of clusters as secrets below `kubeconfigs`.
 *
 * @throws FleetwrightError with everything that is wrong with it
 */
export function readStackSettings(config: Config): FleetStackArgs {
  const [cluster, lock, out] = ['cluster', 'lock', 'out'].map((key) => config.get(key));
  const lockMode = readEnum('lockMode', config);
  const workloads = readEnum('workloads', config);
  const waves = readEnum('waves', config);
  const precheck = readEnum('precheck', config);
  const read = readKubeconfigs(config);
  const all = [lockMode, workloads, waves, precheck, read].flatMap(({ problems }) => problems);
  all.push(...checkEmptyTexts(config), ...checkUnknownSettings(config));
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
function checkEmptyTexts(config: Config): Diagnostic[] {
  return TEXT_SETTINGS.filter((key) => isBlank(config.get(key))).map((key) =>
    badSetting(key, EMPTY_VALUE, `Set it, or run 'pulumi config rm fleetwright:${key}'`),
  );
}

const EMPTY_VALUE = 'it is empty';

/** Names that are no setting: one that is misspelt would be left at its default, and nobody would know. */
function checkUnknownSettings({ name }: Config): Diagnostic[] {
  const own = Object.keys(runtime.allConfig()).filter((key) => key.startsWith(`${name}:`));
  return own
    .map((key) => key.slice(name.length + 1))
    .filter((key) => !SETTING_NAMES.includes(key))
    .map((key) => {
      const meant = suggestName(key, SETTING_NAMES);
      return badSetting(
        key,
        'there is no such setting',
        meant ? `Use '${meant}'` : `Use one of ${SETTING_NAMES.join(', ')}`,
      );
    });
}

function readEnum<K extends keyof typeof ENUM_SETTINGS>(
  key: K,
  config: Config,
): { word?: (typeof ENUM_SETTINGS)[K][number]; problems: readonly Diagnostic[] } {
  const text = config.get(key);
  if (text === undefined) return { problems: [] };
  const words: readonly (typeof ENUM_SETTINGS)[K][number][] = ENUM_SETTINGS[key];
  const word = words.find((one) => one === text);
  if (word !== undefined) return { word, problems: [] };
  const hint = `Use ${suggestName(text, words) ?? words.join(' or ')}`;
  return { problems: [badSetting(key, `'${text}' is no value of it`, hint)] };
}

function readKubeconfigs(config: Config) {
  const values = readKubeconfigMap(config);
  if (values === undefined) {
    const hint = `Set each by itself: ${formatSetKubeconfig('CLUSTER')}`;
    return { kubeconfigs: {}, problems: [badSetting('kubeconfigs', 'it is no map of kubeconfigs', hint)] };
  }
  const problems = values
    .filter(([, value]) => isBlank(value))
    .map(([name]) => badSetting(`kubeconfigs.${name}`, EMPTY_VALUE, `Run ${formatSetKubeconfig(name)}`));
  // Secrets of the configuration come as plain values, and are none any more unless somebody says so.
  const kubeconfigs = values.map(([name, value]) => [name, secret(value)] as const);
  return { kubeconfigs: Object.fromEntries(kubeconfigs), problems };
}

/** Never what is wrong with the text of it: that would tell secrets. */
function readKubeconfigMap(config: Config): [string, string][] | undefined {
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

function badSetting(key: string, what: string, hint: string): Diagnostic {
  return errorAt('bad-setting', `fleetwright:${key}`, what, hint);
}
