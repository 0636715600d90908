import { REPLICA_INDEX } from '../api/labels';
import type { ModelService } from '../api/model-service';
import { blockSizeOf } from '../engine/checks/block-size';
import { servingSelector } from '../render/labels';
import { replicaServiceName, serviceName } from '../render/names';
import { SERVICE_PORT } from '../render/service';
import { arrivalOf } from './arrival';
import { answeringEngine, askedOf } from './health';
import type { EdgeBackend } from './places';
import type { Picker, Timeouts } from './policy';
import { namedOf } from './rules';
import type { EdgeTarget } from './select';

/** Tokens of a block where nobody knows them: the default of the picker, and of vLLM. */
const BLOCK_SIZE = 16;

/** What an edge does with requests of a service for replicas of a deployment. */
export function edgeBackend(service: ModelService, target: EdgeTarget, timeouts: Timeouts): EdgeBackend {
  const { deployment, replica, replicas } = target;
  const { containerPort, ...asked } = askedOf(deployment);
  return {
    ...arrivalOf(service, target, timeouts),
    deployment: namedOf(deployment),
    replicas,
    ...(replica !== undefined && { replica }),
    target: {
      service:
        replica === undefined
          ? serviceName(deployment.metadata)
          : replicaServiceName(deployment.metadata, replica),
      port: SERVICE_PORT,
      containerPort,
      selector: {
        ...servingSelector(deployment),
        ...(replica !== undefined && { [REPLICA_INDEX]: String(replica) }),
      },
    },
    ...asked,
    picker: pickerOf(service, target),
    ...(service.spec.webSocket && { webSocket: true }),
  };
}

/** Which pod gets a request: as the service says, else what sessions or the two engines of a pair need. */
export function pickerOf({ spec }: ModelService, { deployment }: EdgeTarget): Picker {
  const { mode } = deployment.spec.template.spec.serving;
  const { sessionAffinity } = spec;
  const kind =
    spec.picker ??
    (mode === 'PrefillDecode' ? 'PrefixCache' : sessionAffinity ? 'ConsistentHash' : 'LeastRequest');
  if (kind === 'PrefixCache') {
    return { kind, mode, blockSize: blockSizeOf(deployment, answeringEngine(deployment)) ?? BLOCK_SIZE };
  }
  return kind === 'ConsistentHash' && sessionAffinity
    ? { kind, header: sessionAffinity.header.toLowerCase() }
    : { kind: 'LeastRequest' };
}
