import type { ModelDeployment } from '../../api/model-deployment';
import type { Group, Path } from '../../api/resource';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import type { Fault, FleetCheck } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import { memberContextOf } from '../added-arguments';
import { type EngineFiles, engineFilesOf } from '../model-files';
import { servingOf } from '../ports-and-probe-defaults';
import type { RunnableDeployment } from '../runtime-detection';
import { checkBlockSizeReadable, checkBlockSizesAgree } from './block-size';
import type { EngineFinding, MemberCheck } from './member-check';
import { checkBindAddress, checkHealthPort, checkPhasePorts, checkPort } from './ports';
import {
  checkBootstrapWritable,
  checkEngineStarted,
  checkHealthKnown,
  checkModelNamed,
  checkPhaseSupported,
  checkRuntimeMatches,
} from './startup';

/** Every rule that checks the containers of engines. */
const CHECKS: readonly MemberCheck[] = [
  checkRuntimeMatches,
  checkEngineStarted,
  checkModelNamed,
  checkHealthKnown,
  checkPort,
  checkHealthPort,
  checkBindAddress,
  checkBootstrapWritable,
  checkPhaseSupported,
  checkPhasePorts,
  checkBlockSizeReadable,
  checkBlockSizesAgree,
];

/**
 * Checks the containers of engines for what cannot work. Deployments of the alias group get warnings instead,
 * because their manifests must continue to load.
 */
export const checkEngines: FleetCheck = function* ({ deployments, caches }) {
  for (const resource of deployments) {
    if (resource.group !== 'fleetwright.dev') continue;
    for (const { severity, ...finding } of findingsOf(resource, caches)) {
      if (severity === 'error') yield { resource, ...finding };
    }
  }
};

/** The warnings about the containers of engines. */
export function listEngineWarnings({ deployments, caches }: Fleet): Fault[] {
  return deployments.flatMap((resource) =>
    findingsOf(resource, caches)
      .filter(({ severity }) => severity === 'warning' || resource.group !== 'fleetwright.dev')
      .map(({ code, what, hint, path }): Fault => {
        return { code, resource, path, what, ...(hint !== undefined && { hint }) };
      }),
  );
}

/** All findings of a deployment, cached because errors and warnings are requested separately. */
function findingsOf(resource: ModelDeployment, caches: Fleet['caches']): readonly EngineFinding[] {
  const files = getOrComputeWeak(KNOWN_FILES, caches, resource, () => engineFilesOf(resource, caches));
  const known = KNOWN_FINDINGS[resource.group];
  return getOrComputeWeak(known, resource.spec.template.spec, files, () => [...runChecks(resource, files)]);
}

const KNOWN_FILES: WeakPairMap<Fleet['caches'], ModelDeployment, EngineFiles> = new WeakMap();

/** The findings by template, which many deployments share, and by the files that its engines find. */
const KNOWN_FINDINGS: Readonly<Record<Group, WeakPairMap<Template, EngineFiles, readonly EngineFinding[]>>> =
  {
    'fleetwright.dev': new WeakMap(),
    'modelplane.ai': new WeakMap(),
  };

type Template = RunnableDeployment['spec']['template']['spec'];

function* runChecks(deployment: RunnableDeployment, files: EngineFiles): Iterable<EngineFinding> {
  for (const [e, engine] of deployment.spec.template.spec.engines.entries()) {
    const place: Path = ['spec', 'template', 'spec', 'engines', e];
    for (const [index, member] of engine.members.entries()) {
      const { command, args } = member.template.spec.containers[0];
      // The worker starts like its leader, which is checked already.
      if (engine.bootstrap === 'Auto' && member.role === 'Worker' && !command && !args) continue;
      const subject = {
        ...memberContextOf(deployment, engine, member, files),
        serving: servingOf(deployment, engine),
        index,
      };
      for (const finding of CHECKS.flatMap((check) => [...check(subject)])) {
        yield { ...finding, path: [...place, ...finding.path] };
      }
    }
  }
}
