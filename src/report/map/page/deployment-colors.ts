/** How a deployment looks on the map. */
export interface DeploymentColors {
  /** Degrees, in steps that eyes tell apart. */
  readonly hue: number;

  /** Darker or lighter. */
  readonly tone: number;

  /** A pattern, for those who do not tell hues apart. */
  readonly pattern: number;
}

const HUES = 24;
const TONES = 2;
const PATTERNS = 3;

/** The look of a deployment, which follows from `namespace/name` alone: it is the same in every map. */
export function colorsOf(id: string): DeploymentColors {
  const hash = hashOf(id);
  return {
    hue: (hash % HUES) * (360 / HUES),
    tone: Math.floor(hash / HUES) % TONES,
    pattern: Math.floor(hash / (HUES * TONES)) % PATTERNS,
  };
}

/** FNV-1a over UTF-16 code units, stirred so that names that differ at their end only are far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
