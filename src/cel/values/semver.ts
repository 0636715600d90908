import { succeeds } from '../../base/errors';
import { compareText } from '../../base/order';
import { UINT64_MAX } from './decimal';

interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];
  readonly build: readonly string[];
}

const NUMBER = '0|[1-9]\\d*';
const SHAPE = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
);
const NUMERIC = /^\d+$/;

/** An immutable semantic version, as DRA drivers publish it for drivers, firmware and compute capabilities. */
export class Semver {
  // Private at run time too: CEL macros iterate over the keys of an object.
  readonly #version: Version;

  constructor(version: Version) {
    this.#version = version;
  }

  get major(): bigint {
    return this.#version.major;
  }

  get minor(): bigint {
    return this.#version.minor;
  }

  get patch(): bigint {
    return this.#version.patch;
  }

  /**
   * Compares two versions by the precedence of semver.org: -1, 0 or 1. A pre-release is less than its release. Build
   * metadata does not count.
   */
  compare(other: Semver): -1 | 0 | 1 {
    const [a, b] = [this.#version, other.#version];
    for (const part of ['major', 'minor', 'patch'] as const) {
      if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
    }
    return comparePrereleases(a.prerelease, b.prerelease);
  }

  toString(): string {
    const { major, minor, patch, prerelease, build } = this.#version;
    const suffix = prerelease.length > 0 ? `-${prerelease.join('.')}` : '';
    return `${major}.${minor}.${patch}${suffix}${build.length > 0 ? `+${build.join('.')}` : ''}`;
  }
}

/**
 * Parses a semantic version. `1.2`, `v1.2.3` and `01.2.3` are valid only with `normalize`.
 */
export function parseSemver(text: string, normalize = false): Semver {
  const [, major, minor, patch, prerelease, build] = SHAPE.exec(normalize ? normalizeVersion(text) : text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new Error(`'${text}' is not a semantic version, which is three numbers such as 1.2.3`);
  }
  const version = {
    major: BigInt(major),
    minor: BigInt(minor),
    patch: BigInt(patch),
    prerelease: prerelease?.split('.') ?? [],
    build: build?.split('.') ?? [],
  };
  const numbers = [
    version.major,
    version.minor,
    version.patch,
    ...version.prerelease.filter((part) => NUMERIC.test(part)).map(BigInt),
  ];
  if (numbers.some((number) => number > UINT64_MAX)) {
    throw new Error(`'${text}' is not a semantic version: a number in it is above 2^64-1`);
  }
  if (version.prerelease.some((part) => NUMERIC.test(part) && /^0\d/.test(part))) {
    throw new Error(`'${text}' is not a semantic version: a number of its pre-release has a leading zero`);
  }
  return new Semver(version);
}

export function isSemver(text: string, normalize = false): boolean {
  return succeeds(() => parseSemver(text, normalize));
}

/** Converts `v01.2` to `1.2.0`. A short version with a pre-release or build metadata stays invalid. */
function normalizeVersion(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length > 0 ? [rest.join('.')] : [])];
  while (parts.length < 3) parts.push('0');
  return parts.map((part) => part.replace(/^0+(?=\d)/, '')).join('.');
}

function comparePrereleases(a: readonly string[], b: readonly string[]): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return toSign(b.length - a.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i] ?? '', b[i] ?? '');
    if (order !== 0) return order;
  }
  return toSign(a.length - b.length);
}

/** Numbers compare numerically and come before words. */
function compareParts(a: string, b: string): -1 | 0 | 1 {
  const numeric = [NUMERIC.test(a), NUMERIC.test(b)];
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  return numeric[0] ? toSign(BigInt(a) - BigInt(b)) : toSign(compareText(a, b));
}

function toSign(difference: number | bigint): -1 | 0 | 1 {
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}
