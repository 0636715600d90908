/** An engine and its version, as `--engine` names them. */
export interface EngineVersion {
  readonly name: string;

  /** Major and minor. */
  readonly version: readonly [number, number];
}

/** The newest version of which more than one run is logged. */
export const DEFAULT_ENGINE: EngineVersion = { name: 'vllm', version: [0, 20] };

/** From here on, blocks of layers with a state are cached as prefixes, which takes two a request. */
const STATE_PREFIXES: EngineVersion['version'] = [0, 21];

/**
 * Parses a version. Only major and minor count: images of vendors add suffixes.
 *
 * @example
 * parseVersion('v0.18.2rc1+rhaiv.7'); // [0, 18]
 */
export function parseVersion(text: string): EngineVersion['version'] | undefined {
  const [, major, minor = '0'] = /^v?(\d{1,3})(?:\.(\d{1,4}))?(?!\d)/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

/** Whether a version is in a range of a table: from one on, and below another. */
export function isVersionIn(
  [major, minor]: EngineVersion['version'],
  { from, below }: { readonly from?: string | undefined; readonly below?: string | undefined },
): boolean {
  const isAtLeast = (text: string): boolean => {
    const [otherMajor, otherMinor] = boundOf(text);
    return major > otherMajor || (major === otherMajor && minor >= otherMinor);
  };
  return (from === undefined || isAtLeast(from)) && (below === undefined || !isAtLeast(below));
}

/** The bounds of all ranges. Tables of the catalog name few, and each layout of a model compares with them. */
const bounds = new Map<string, EngineVersion['version']>();

function boundOf(text: string): EngineVersion['version'] {
  const known = bounds.get(text);
  if (known) return known;
  const bound = parseVersion(text) ?? [0, 0];
  bounds.set(text, bound);
  return bound;
}

/** Blocks that a request takes of each group of layers with a state. */
export function stateBlocksOf({ name, version }: EngineVersion): number {
  return name === 'vllm' && isVersionIn(version, { from: STATE_PREFIXES.join('.') }) ? 2 : 1;
}
