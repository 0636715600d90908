import { type Config, secret } from '@pulumi/pulumi';
import { FleetwrightError, type Problem } from '../src/errors';
import { nearest } from '../src/nearest';
import type { FleetStackArgs } from './fleet-stack';

/** The fleet of a project that does not say which. */
const DEFAULT_FLEET = 'examples/quickstart';

const LOCK_MODES = ['require', 'ephemeral'] as const;

/**
 * What the configuration of a Pulumi stack says: `fleetwright:fleet`, `cluster`, `lock`, `lockMode`, and the
 * kubeconfigs of clusters as secrets below `kubeconfigs`.
 *
 * @throws FleetwrightError with everything that is wrong with it
 */
export function stackSettings(config: Config): FleetStackArgs {
  const [cluster, lock] = [config.get('cluster'), config.get('lock')];
  const { lockMode, problems } = lockModeOf(config.get('lockMode'));
  const read = kubeconfigsOf(config);
  const all = [...problems, ...read.problems];
  if (all.length > 0) throw new FleetwrightError(all);
  return {
    fleet: config.get('fleet') ?? DEFAULT_FLEET,
    ...(cluster !== undefined && { cluster }),
    ...(lock !== undefined && { lock }),
    ...(lockMode !== undefined && { lockMode }),
    kubeconfigs: read.kubeconfigs,
  };
}

function lockModeOf(text: string | undefined): {
  lockMode?: (typeof LOCK_MODES)[number];
  problems: readonly Problem[];
} {
  if (text === undefined) return { problems: [] };
  const lockMode = LOCK_MODES.find((mode) => mode === text);
  if (lockMode !== undefined) return { lockMode, problems: [] };
  const hint = `Use ${nearest(text, LOCK_MODES) ?? LOCK_MODES.join(' or ')}`;
  return { problems: [bad('lockMode', `'${text}' is no mode`, hint)] };
}

function kubeconfigsOf(config: Config) {
  const values = objectOf(config);
  if (values === undefined) {
    const hint =
      "Set each by itself: 'pulumi config set --secret --path fleetwright:kubeconfigs.CLUSTER < FILE'";
    return { kubeconfigs: {}, problems: [bad('kubeconfigs', 'it is no map of kubeconfigs', hint)] };
  }
  // Secrets of the configuration come as plain values, and are none any more unless somebody says so.
  const kubeconfigs = values.map(([name, value]) => [name, secret(value)] as const);
  return { kubeconfigs: Object.fromEntries(kubeconfigs), problems: [] };
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
