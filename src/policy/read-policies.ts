import { oneDemand, policyFile } from '../api/policy-file';
import type { Path } from '../api/resource';
import type { Problem } from '../errors';
import { located, readDataFile } from '../manifest/data-file';
import type { SourceFile } from '../manifest/source';
import type { Policy } from './policy';

/** Rules, and what is wrong with the file that they were read from. */
export interface PolicyReading {
  readonly policies: readonly Policy[];
  readonly problems: readonly Problem[];
}

/** Reads the rules of a fleet. */
export function readPolicies(file: SourceFile): PolicyReading {
  const read = readDataFile(file, policyFile);
  if ('problems' in read) return { policies: [], problems: read.problems };
  const policies = read.value.rules.map((rule, index): Policy => {
    const place = (path: Path): string => read.place(['rules', index, ...path]);
    return { rule, where: place([]), place };
  });
  const findings = policies.flatMap(({ rule }, index) =>
    [...oneDemand(rule)].map((finding) => ({ ...finding, path: ['rules', index] })),
  );
  return { policies, problems: located(findings, read.place) };
}
