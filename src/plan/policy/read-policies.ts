import { hasOneLimit, policyFile } from '../../api/policy-file';
import type { Path } from '../../api/resource';
import { type Diagnostic, relocate } from '../../base/diagnostic';
import type { Policy } from '../../fleet/policy';
import { locateInFile, readDataFile } from '../../manifest/data-file';
import type { SourceFile } from '../../manifest/source-file';

/** Policy rules, and the problems of the file that they were read from. */
export interface PolicyReading {
  readonly policies: readonly Policy[];
  readonly problems: readonly Diagnostic[];
}

/** Reads the policy file of a fleet. */
export function readPolicies(file: SourceFile): PolicyReading {
  const read = readDataFile(file, policyFile);
  if ('problems' in read) return { policies: [], problems: read.problems };
  const policies = read.value.rules.map((rule, index): Policy => {
    const place = (path: Path): string => read.place(['rules', index, ...path]);
    return { rule, where: place([]), place };
  });
  const findings = policies.flatMap(({ rule }, index) =>
    [...hasOneLimit(rule)].map((finding) => relocate(finding, (): Path => ['rules', index])),
  );
  return { policies, problems: locateInFile(findings, read.place) };
}
