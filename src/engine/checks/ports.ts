import { errorAt, warningAt } from '../../base/diagnostic';
import { ROUTING_SIDECAR } from '../../catalog/llm-d/routing-sidecar';
import { findSetting, takesArguments } from '../container-settings';
import { findPort, isLoopback } from '../ports-and-probe-defaults';
import { type MemberCheck, pathInContainer, startPathOf } from './member-check';

/** The port that a container gives its engine is one, and can be read. */
export const checkPort: MemberCheck = function* (subject) {
  const { member, reading, serving } = subject;
  const { profile } = reading;
  const found = findSetting(reading, profile.port);
  if (member.role === 'Worker' || !found) return;
  // The variable of some runtimes is an address, in which a port may be absent.
  if (profile.port.env !== undefined && profile.port.env === profile.host.env) return;
  const path = pathInContainer(subject, found.path);
  if (found.value === undefined) {
    yield warningAt(
      'unread-port',
      path,
      `only the container will know the value of ${found.name}, and ${serving.enginePort} is taken for it`,
      'Write the number',
    );
  } else if (findPort(reading) === undefined) {
    yield errorAt(
      'bad-port',
      path,
      `'${found.value}' of ${found.name} is no port`,
      'Write a whole number from 1 to 65535',
    );
  }
};

/** The port of the health check is the one on which the engine listens. */
export const checkHealthPort: MemberCheck = function* (subject) {
  const { deployment, member, reading, serving } = subject;
  const { port } = deployment.spec.template.spec.healthCheck;
  const { profile } = reading;
  if (member.role === 'Worker' || port === undefined || profile.runtime === 'Custom') return;
  if (port === serving.enginePort || findSetting(reading, profile.healthPort)) return;
  const found = findSetting(reading, profile.port);
  yield errorAt(
    'contradiction',
    found ? pathInContainer(subject, found.path) : startPathOf(subject),
    `${profile.title} listens on port ${serving.enginePort}, and healthCheck.port is ${port}`,
    'Remove healthCheck.port, or make the two equal',
  );
};

/** An engine answers beyond its own pod. */
export const checkBindAddress: MemberCheck = function* (subject) {
  const { member, reading } = subject;
  const { profile } = reading;
  const [flag] = profile.host.flags;
  if (member.role === 'Worker') return;
  const found = findSetting(reading, profile.host);
  if (found) {
    if (found.value === undefined || !isLoopback(found.value)) return;
    yield errorAt(
      'loopback',
      pathInContainer(subject, found.path),
      `${found.name} ${found.value} lets nobody but its own pod reach the engine`,
      "Write '0.0.0.0'",
    );
  } else if (isLoopback(profile.host.default) && reading.complete && !takesArguments(reading)) {
    yield errorAt(
      'loopback',
      startPathOf(subject),
      `${profile.title} listens on ${profile.host.default} unless it is told otherwise, and a script is never changed`,
      `Add '${flag} 0.0.0.0' to it`,
    );
  }
};

/** The engines of a pair answer on one port, and the sidecar before one of them has that for itself. */
export const checkPhasePorts: MemberCheck = function* (subject) {
  const { engine, member, serving, reading } = subject;
  const { port, enginePort } = ROUTING_SIDECAR;
  const [flag] = reading.profile.port.flags;
  if (!engine.phase || flag === undefined || member.role === 'Worker') return;
  const found = findSetting(reading, reading.profile.port);
  const path = found ? pathInContainer(subject, found.path) : startPathOf(subject);
  if (engine.phase === 'Decode' && serving.enginePort === port) {
    yield errorAt(
      'port-taken',
      path,
      `the engine and the sidecar before it both listen on port ${port}`,
      `Give the engine '${flag} ${enginePort}'`,
    );
  } else if (engine.phase === 'Prefill' && serving.enginePort !== port) {
    yield errorAt(
      'contradiction',
      path,
      `the engine for prefill listens on port ${serving.enginePort}, and the one for decode answers on ${port}`,
      `Give it '${flag} ${port}'`,
    );
  }
};
