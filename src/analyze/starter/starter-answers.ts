import type { ModelRow } from '../../catalog/models/model-row';
import type { StarterCloud } from './starter-clouds';

/** Tools that apply manifests from git. */
export const GITOPS_TOOLS = ['argocd', 'flux'] as const;

/** Systems that check pull requests. */
export const CI_SYSTEMS = ['github', 'gitlab', 'none'] as const;

export type GitopsTool = (typeof GITOPS_TOOLS)[number];
export type CiSystem = (typeof CI_SYSTEMS)[number];

/** A GPU of the catalog, by its name, and the clouds on which a new fleet is to have it, as far as they offer it. */
export interface WantedGpu {
  readonly gpu: string;
  readonly clouds: readonly StarterCloud[];
}

/** What a new fleet is to have. */
export interface StarterAnswers {
  readonly clouds: readonly StarterCloud[];

  readonly gpus: readonly WantedGpu[];
  readonly model: ModelRow;

  /** The tool that applies manifests from git. Absent: none. */
  readonly gitops?: GitopsTool;

  /** Whether a Pulumi program makes clusters and installs what they need. */
  readonly pulumi: boolean;

  /** The clouds with a cluster that another tool creates, also where a Pulumi program makes the others. */
  readonly existing: readonly StarterCloud[];
  readonly ci: CiSystem;

  /** The version of this package, which the new folder pins. */
  readonly version: string;
}

/** Whether the Pulumi program of a new folder makes the cluster on a cloud. */
export function isMade(
  { pulumi, existing }: Pick<StarterAnswers, 'pulumi' | 'existing'>,
  cloud: StarterCloud,
): boolean {
  return pulumi && !existing.includes(cloud);
}
