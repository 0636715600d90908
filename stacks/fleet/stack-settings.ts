import { type Config, runtime, secret } from '@pulumi/pulumi';
import { type Diagnostic, errorAt } from '../../src/base/diagnostic';
import { FleetwrightError } from '../../src/base/errors';
import { isMap, tryParseJson } from '../../src/base/json';
import { suggestName } from '../../src/base/name-suggestion';
import type { ChartSource } from './chart-source';
import { formatSetKubeconfig, isBlank } from '../runtime/config-values';
import type { FleetStackArgs } from './fleet-stack-args';

/** The default of the `fleet` setting. */
const DEFAULT_FLEET = 'examples/quickstart';

/** Settings with a fixed set of values. */
const ENUM_SETTINGS = {
  lockMode: ['require', 'ephemeral'],
  workloads: ['resources', 'files'],
  waves: ['true', 'false'],
  precheck: ['true', 'false'],
} as const;

/** Settings with any text as value. */
const TEXT_SETTINGS = ['fleet', 'cluster', 'lock', 'out'] as const;

/** The names of all settings. */
const SETTING_NAMES: readonly string[] = [
  ...TEXT_SETTINGS,
  'kubeconfigs',
  'chartSource',
  ...Object.keys(ENUM_SETTINGS),
];

/**
 * Reads the configuration of a Pulumi stack: `fleetwright:fleet`, `cluster`, `lock`, `lockMode`, `workloads`, `out`,
 * `waves`, `precheck`, `chartSource`, and the kubeconfigs of clusters as secrets below `kubeconfigs`.
 *
 * @throws FleetwrightError with all problems of the configuration
 */
export function readStackSettings(config: Config): FleetStackArgs {
  const [cluster, lock, out] = ['cluster', 'lock', 'out'].map((key) => config.get(key));
  const lockMode = readEnum('lockMode', config);
  const workloads = readEnum('workloads', config);
  const waves = readEnum('waves', config);
  const precheck = readEnum('precheck', config);
  const read = readKubeconfigs(config);
  const charts = readChartSource(config);
  const all = [lockMode, workloads, waves, precheck, read, charts].flatMap(({ problems }) => problems);
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
    ...(charts.source !== undefined && { chartSource: charts.source }),
    kubeconfigs: read.kubeconfigs,
  };
}

/**
 * Reports settings with an empty value, for example from an undefined shell variable: an empty value names no file or
 * cluster.
 */
function checkEmptyTexts(config: Config): Diagnostic[] {
  return TEXT_SETTINGS.filter((key) => isBlank(config.get(key))).map((key) =>
    badSetting(key, EMPTY_VALUE, `Set it, or run 'pulumi config rm fleetwright:${key}'`),
  );
}

const EMPTY_VALUE = 'it is empty';

/** Reports unknown settings. A misspelled setting would silently keep its default. */
function checkUnknownSettings({ name }: Config): Diagnostic[] {
  const keys = Object.keys(runtime.allConfig()).filter((key) => key.startsWith(`${name}:`));
  return keys
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
  return { problems: [badSetting(key, `unknown value '${text}'`, hint)] };
}

function readChartSource(config: Config): { source?: ChartSource; problems: readonly Diagnostic[] } {
  if (config.get('chartSource') === undefined) return { problems: [] };
  const value = tryParseJson(config.get('chartSource') ?? '');
  const [entry, ...others] = isMap(value) ? Object.entries(value) : [];
  const [kind, place] = entry ?? [];
  if (others.length > 0 || typeof place !== 'string' || (kind !== 'mirror' && kind !== 'folder')) {
    const hint =
      "Set one of both: 'pulumi config set --path fleetwright:chartSource.folder FOLDER', or .mirror ADDRESS";
    return { problems: [badSetting('chartSource', 'it must be a mirror or a folder', hint)] };
  }
  return { source: kind === 'mirror' ? { mirror: place } : { folder: place }, problems: [] };
}

function readKubeconfigs(config: Config) {
  const values = readKubeconfigMap(config);
  if (values === undefined) {
    const hint = `Set each kubeconfig separately: ${formatSetKubeconfig('CLUSTER')}`;
    return { kubeconfigs: {}, problems: [badSetting('kubeconfigs', 'it is not a map of kubeconfigs', hint)] };
  }
  const problems = values
    .filter(([, value]) => isBlank(value))
    .map(([name]) => badSetting(`kubeconfigs.${name}`, EMPTY_VALUE, `Run ${formatSetKubeconfig(name)}`));
  // Secrets of the configuration are plain values here, so they are marked as secrets again.
  const kubeconfigs = values.map(([name, value]) => [name, secret(value)] as const);
  return { kubeconfigs: Object.fromEntries(kubeconfigs), problems };
}

/**
 * Reads the kubeconfigs, or returns undefined where the value is invalid. Errors of the parser are not reported,
 * since they would reveal secrets.
 */
function readKubeconfigMap(config: Config): [string, string][] | undefined {
  if (config.get('kubeconfigs') === undefined) return [];
  try {
    const value: unknown = config.getObject('kubeconfigs');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? entries : undefined;
  } catch {
    return undefined;
  }
}

function badSetting(key: string, what: string, hint: string): Diagnostic {
  return errorAt('bad-setting', `fleetwright:${key}`, what, hint);
}
