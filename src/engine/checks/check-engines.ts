import type { Engine } from '../../api/engine';
import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Group, Path } from '../../api/resource';
import { asWarning, type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import type { FleetCheck } from '../../fleet/checks/fleet-check';
import type { Fleet } from '../../fleet/fleet';
import { memberContextOf } from '../added-arguments';
import { type EngineFiles, engineFilesOf } from '../model-files';
import { containerSettingsOf, servingOf } from '../ports-and-probe-defaults';
import { profileOf, type RunnableDeployment } from '../runtime-detection';
import { findSetting } from '../container-settings';
import { checkBlockSizeReadable, checkBlockSizesAgree } from './block-size';
import { checkFlagsAgree, checkFlagValues } from './flag-values';
import { checkImageKnown } from './images';
import { checkNoSpaces, checkProgramWord, checkValuesSeparate } from './joined-arguments';
import type { MemberCheck } from './member-check';
import { checkCacheServed, checkModelMounted } from './model-path';
import { checkFlagsSpelled } from './unknown-flags';
import { checkBindAddress, checkHealthPort, checkPhasePorts, checkPort } from './ports';
import {
  checkBootstrapWritable,
  checkEngineStarted,
  checkHealthKnown,
  checkModelNamed,
  checkPhaseSupported,
  checkRuntimeMatches,
  checkSameImages,
  checkWorkerJoins,
} from './startup';

const CHECKS: readonly MemberCheck[] = [
  checkFlagsSpelled,
  checkFlagValues,
  checkFlagsAgree,
  checkValuesSeparate,
  checkRuntimeMatches,
  checkImageKnown,
  checkEngineStarted,
  checkModelNamed,
  checkModelMounted,
  checkCacheServed,
  checkNoSpaces,
  checkProgramWord,
  checkWorkerJoins,
  checkSameImages,
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
    for (const finding of findingsOf(resource, caches)) {
      if (finding.severity === 'error') yield relocate(finding, (path) => ({ resource, path }));
    }
  }
};

/** The warnings about the containers of engines. */
export function listEngineWarnings({ deployments, caches }: Fleet): Diagnostic<ResourcePath>[] {
  return deployments.flatMap((resource) =>
    findingsOf(resource, caches)
      .filter(({ severity }) => severity === 'warning' || resource.group !== 'fleetwright.dev')
      .map((finding) => asWarning(relocate(finding, (path) => ({ resource, path })))),
  );
}

/** All findings of a deployment, cached because errors and warnings are requested separately. */
function findingsOf(resource: ModelDeployment, caches: Fleet['caches']): readonly Diagnostic<Path>[] {
  const files = getOrComputeWeak(KNOWN_FILES, caches, resource, () => engineFilesOf(resource, caches));
  const known = KNOWN_FINDINGS[resource.group];
  return getOrComputeWeak(known, resource.spec.template.spec, files, () => [...runChecks(resource, files)]);
}

const KNOWN_FILES: WeakPairMap<Fleet['caches'], ModelDeployment, EngineFiles> = new WeakMap();

/** The findings by template, which many deployments share, and by the files that its engines find. */
const KNOWN_FINDINGS: Readonly<Record<Group, WeakPairMap<Template, EngineFiles, readonly Diagnostic<Path>[]>>> = {
  'fleetwright.dev': new WeakMap(),
  'modelplane.ai': new WeakMap(),
};

type Template = RunnableDeployment['spec']['template']['spec'];

function* runChecks(deployment: RunnableDeployment, files: EngineFiles): Iterable<Diagnostic<Path>> {
  for (const [e, engine] of deployment.spec.template.spec.engines.entries()) {
    const place: Path = ['spec', 'template', 'spec', 'engines', e];
    for (const [index, member] of engine.members.entries()) {
      const { command, args } = member.template.spec.containers[0];
      // The worker starts like its leader, which is checked already.
      if (engine.bootstrap === 'Auto' && member.role === 'Worker' && !command && !args) continue;
      const serving = servingOf(deployment, engine);
      const subject = { ...memberContextOf(deployment, engine, member, files), serving, index };
      for (const finding of CHECKS.flatMap((check) => [...check(subject)])) {
        yield relocate(finding, (path) => [...place, ...path]);
      }
    }
  }
}

/** Checks that engines with adapters support them. */
export const checkAdapterSupport: FleetCheck = function* ({ deployments }) {
  for (const resource of deployments) {
    const { engines, loraAdapters } = resource.spec.template.spec;
    if (loraAdapters.length === 0) continue;
    for (const [index, engine] of engines.entries()) {
      const { profile } = profileOf(resource, engine);
      if (profile.adapters) continue;
      const what = `engine '${engine.name}' runs ${profile.title}, which does not support adapters`;
      const hint = 'Remove loraAdapters, or use a runtime that does: vLLM, SGLang, TGI, NIM, LlamaCpp or LMDeploy';
      yield errorAt('no-adapters', { resource, path: ['spec', 'template', 'spec', 'engines', index] }, what, hint);
    }
  }
};

/** Checks that no adapter has the name of the model itself: engines answer requests for it without the adapter. */
export const checkAdapterNames: FleetCheck = function* ({ deployments }) {
  for (const resource of deployments) {
    const { engines, loraAdapters } = resource.spec.template.spec;
    if (resource.group !== 'fleetwright.dev') continue;
    for (const [index, { name }] of loraAdapters.entries()) {
      const engine = engines.find((one) => servedNameOf(resource, one) === name);
      if (!engine) continue;
      const at = { resource, path: ['spec', 'template', 'spec', 'loraAdapters', index, 'name'] };
      const what = `engine '${engine.name}' serves its model as '${name}', so that requests for '${name}' never get the adapter`;
      yield errorAt('contradiction', at, what, 'Give the adapter another name');
    }
  }
};

function servedNameOf(deployment: ModelDeployment, engine: Engine): string | undefined {
  const settings = containerSettingsOf(deployment, engine);
  return findSetting(settings, settings.profile.servedName)?.value;
}
