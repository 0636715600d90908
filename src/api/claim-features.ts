/** What a device request may ask for beyond a number of devices. */
export type ClaimFeature =
  | 'firstAvailable'
  | 'matchAttribute'
  | 'distinctAttribute'
  | 'tolerations'
  | 'config';

interface Facts {
  /** The minor version of Kubernetes 1 from which on it is switched on by default (kube_features.go). */
  readonly since: number;

  /** Whether only a claim can say it. A device plugin hands out a number of devices, whichever they are. */
  readonly needsClaim: boolean;
}

/**
 * What each feature needs. API servers that lack one drop its fields without a word, and managed control planes let
 * nobody switch alpha features on. Facts: KEP-4816 (firstAvailable), KEP-4381 (matchAttribute, config), KEP-5075
 * (distinctAttribute), KEP-5055 (tolerations).
 */
export const CLAIM_FEATURES: Readonly<Record<ClaimFeature, Facts>> = {
  firstAvailable: { since: 34, needsClaim: true },
  matchAttribute: { since: 34, needsClaim: true },
  distinctAttribute: { since: 36, needsClaim: true },
  // Without claims there are no device taints either, so nothing is lost.
  tolerations: { since: 36, needsClaim: false },
  config: { since: 34, needsClaim: true },
};

/** The minor version of Kubernetes 1 from which on `resource.k8s.io/v1` is served (KEP-4381). */
export const CLAIMS_SINCE = 34;

/** What a pod asks for, as far as features go. */
interface Asked {
  readonly devices: readonly {
    readonly firstAvailable: readonly unknown[];
    readonly tolerations: readonly unknown[];
    readonly config: readonly unknown[];
  }[];
  readonly constraints: readonly { readonly matchAttribute?: string | undefined }[];
}

/** A feature that a pod uses, and where below its `nodeSelector`. */
export interface UsedFeature {
  readonly feature: ClaimFeature;
  readonly path: readonly (string | number)[];
}

/** Every place at which a pod uses a feature. */
export function featuresOf(asked: Asked | undefined): UsedFeature[] {
  const ofDevices = (asked?.devices ?? []).flatMap((device, d) =>
    (['firstAvailable', 'tolerations', 'config'] as const)
      .filter((feature) => device[feature].length > 0)
      .map((feature) => ({ feature, path: ['devices', d, feature] })),
  );
  const ofConstraints = (asked?.constraints ?? []).map(({ matchAttribute }, c): UsedFeature => {
    const feature = matchAttribute === undefined ? 'distinctAttribute' : 'matchAttribute';
    return { feature, path: ['constraints', c, feature] };
  });
  return [...ofDevices, ...ofConstraints];
}
