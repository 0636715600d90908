export interface DeploymentColors {
  /** The hue in degrees, in steps that are easy to distinguish. */
  readonly hue: number;

  /** The tone: darker or lighter. */
  readonly tone: number;

  /** The pattern, for readers who cannot distinguish hues. */
  readonly pattern: number;
}

const HUES = 24;
const TONES = 2;
const PATTERNS = 3;

/** Returns the colors of a deployment, which depend only on `namespace/name` and are the same in every map. */
export function colorsOf(id: string): DeploymentColors {
  const hash = hashOf(id);
  return {
    hue: (hash % HUES) * (360 / HUES),
    tone: Math.floor(hash / HUES) % TONES,
    pattern: Math.floor(hash / (HUES * TONES)) % PATTERNS,
  };
}

/** Computes FNV-1a over UTF-16 code units, with extra mixing so that similar names get different colors. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
