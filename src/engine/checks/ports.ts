import { pairPhaseOf } from '../../api/engine-phases';
import { errorAt, warningAt } from '../../base/diagnostic';
import { ROUTING_SIDECAR } from '../../catalog/llm-d/routing-sidecar';
import { findSetting, takesArguments } from '../container-settings';
import { findPort, isLoopback } from '../ports-and-probe-defaults';
import { type MemberCheck, containerPathOf, startPathOf } from './member-check';

/** Checks that the port that a container gives its engine is valid and can be read. */
export const checkPort: MemberCheck = function* (subject) {
  const { member, settings, serving } = subject;
  const { profile } = settings;
  const found = findSetting(settings, profile.port);
  if (member.role === 'Worker' || !found) return;
  // In some runtimes one variable holds an address, and its port may be absent.
  if (profile.port.env !== undefined && profile.port.env === profile.host.env) return;
  const path = containerPathOf(subject, found.path);
  if (found.value === undefined) {
    const what = `the value of ${found.name} is known only at run time, and ${serving.enginePort} is assumed`;
    yield warningAt('unread-port', path, what, 'Use a number');
  } else if (findPort(settings) === undefined) {
    const what = `'${found.value}' of ${found.name} is not a port`;
    yield errorAt('bad-port', path, what, 'Use a whole number from 1 to 65535');
  }
};

/** Checks that the health check uses the port on which the engine listens. */
export const checkHealthPort: MemberCheck = function* (subject) {
  const { deployment, member, settings, serving } = subject;
  const { port } = deployment.spec.template.spec.healthCheck;
  const { profile } = settings;
  if (member.role === 'Worker' || port === undefined || profile.runtime === 'Custom') return;
  if (port === serving.enginePort || findSetting(settings, profile.healthPort)) return;
  const found = findSetting(settings, profile.port);
  const what = `${profile.title} listens on port ${serving.enginePort}, and healthCheck.port is ${port}`;
  const hint = 'Remove healthCheck.port, or make the two equal';
  yield errorAt('contradiction', found ? containerPathOf(subject, found.path) : startPathOf(subject), what, hint);
};

/** Checks that an engine can be reached from outside its pod. */
export const checkBindAddress: MemberCheck = function* (subject) {
  const { member, settings } = subject;
  const { profile } = settings;
  const [flag] = profile.host.flags;
  if (member.role === 'Worker') return;
  const found = findSetting(settings, profile.host);
  if (found) {
    if (found.value === undefined || !isLoopback(found.value)) return;
    const what = `${found.name} ${found.value} makes the engine reachable from its own pod only`;
    yield errorAt('loopback', containerPathOf(subject, found.path), what, "Write '0.0.0.0'");
  } else if (isLoopback(profile.host.default) && settings.complete && !takesArguments(settings)) {
    const what = `${profile.title} listens on ${profile.host.default} by default, and Fleetwright does not change scripts`;
    yield errorAt('loopback', startPathOf(subject), what, `Add '${flag} 0.0.0.0' to the script`);
  }
};

/** Checks that the engines of a pair serve on one port, and that the decode engine leaves this port to its sidecar. */
export const checkPhasePorts: MemberCheck = function* (subject) {
  const { engine, member, serving, settings } = subject;
  const { port, enginePort } = ROUTING_SIDECAR;
  const [flag] = settings.profile.port.flags;
  const phase = pairPhaseOf(engine);
  if (!phase || flag === undefined || member.role === 'Worker') return;
  const found = findSetting(settings, settings.profile.port);
  const path = found ? containerPathOf(subject, found.path) : startPathOf(subject);
  if (phase === 'Decode' && serving.enginePort === port) {
    const what = `the engine and its proxy sidecar both listen on port ${port}`;
    yield errorAt('port-taken', path, what, `Add '${flag} ${enginePort}' to the engine`);
  } else if (phase === 'Prefill' && serving.enginePort !== port) {
    const what = `the prefill engine listens on port ${serving.enginePort}, and the decode engine on ${port}`;
    yield errorAt('contradiction', path, what, `Add '${flag} ${port}' to the prefill engine`);
  }
};
