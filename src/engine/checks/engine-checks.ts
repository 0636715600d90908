import type { Fault, FleetCheck } from '../../api/checks/fault';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Group, Path } from '../../api/resource';
import type { Fleet } from '../../fleet';
import { memoWeak, type WeakTable } from '../../memo';
import { type EngineFiles, filesOf } from '../files';
import { situationOf } from '../fill';
import type { Runs } from '../runs';
import { servingOf } from '../serving';
import { bindsOutside, pairPorts, portIsChecked, portIsOne } from './address';
import { blockSizeIsRead, blockSizesAgree } from './block-size';
import type { EngineCheck, EngineFinding } from './check';
import {
  bootstrapIsWritable,
  engineIsStarted,
  healthIsKnown,
  modelIsNamed,
  phaseIsTaken,
  runtimeIsStarted,
} from './start';

/** Every rule over what containers tell engines. */
const CHECKS: readonly EngineCheck[] = [
  runtimeIsStarted,
  engineIsStarted,
  modelIsNamed,
  healthIsKnown,
  portIsOne,
  portIsChecked,
  bindsOutside,
  bootstrapIsWritable,
  phaseIsTaken,
  pairPorts,
  blockSizeIsRead,
  blockSizesAgree,
];

/**
 * What cannot work of what containers tell engines. Deployments of the alias group have warnings instead: what loads
 * there loads here.
 */
export const engineErrors: FleetCheck = function* ({ deployments, caches }) {
  for (const resource of deployments) {
    if (resource.group !== 'fleetwright.dev') continue;
    for (const { severity, ...finding } of findingsOf(resource, caches)) {
      if (severity === 'error') yield { resource, ...finding };
    }
  }
};

/** What may not work of what containers tell engines. */
export function engineWarnings({ deployments, caches }: Fleet): Fault[] {
  return deployments.flatMap((resource) =>
    findingsOf(resource, caches)
      .filter(({ severity }) => severity === 'warning' || resource.group !== 'fleetwright.dev')
      .map(({ code, what, hint, path }): Fault => {
        return { code, resource, path, what, ...(hint !== undefined && { hint }) };
      }),
  );
}

/** What is told of a deployment: errors and warnings are asked for apart. */
function findingsOf(resource: ModelDeployment, caches: Fleet['caches']): readonly EngineFinding[] {
  const files = memoWeak(FILES, caches, resource, () => filesOf(resource, caches));
  const known = FINDINGS[resource.group];
  return memoWeak(known, resource.spec.template.spec, files, () => [...findings(resource, files)]);
}

const FILES: WeakTable<Fleet['caches'], ModelDeployment, EngineFiles> = new WeakMap();

/** By what a deployment runs, which many have in common, and the files that it finds. */
const FINDINGS: Readonly<Record<Group, WeakTable<Template, EngineFiles, readonly EngineFinding[]>>> = {
  'fleetwright.dev': new WeakMap(),
  'modelplane.ai': new WeakMap(),
};

type Template = Runs['spec']['template']['spec'];

function* findings(deployment: Runs, files: EngineFiles): Iterable<EngineFinding> {
  for (const [e, engine] of deployment.spec.template.spec.engines.entries()) {
    const place: Path = ['spec', 'template', 'spec', 'engines', e];
    for (const [index, member] of engine.members.entries()) {
      const { command, args } = member.template.spec.containers[0];
      // It starts as its leader does, which is checked there.
      if (engine.bootstrap === 'Auto' && member.role === 'Worker' && !command && !args) continue;
      const subject = {
        ...situationOf(deployment, engine, member, files),
        serving: servingOf(deployment, engine),
        index,
      };
      for (const finding of CHECKS.flatMap((check) => [...check(subject)])) {
        yield { ...finding, path: [...place, ...finding.path] };
      }
    }
  }
}
