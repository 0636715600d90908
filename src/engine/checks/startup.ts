import { pairPhaseOf } from '../../api/engine-phases';
import { errorAt, warningAt } from '../../base/diagnostic';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import { usesRay } from '../added-arguments';
import { findStartedProgram, startsAlone } from '../command-line';
import { findSetting, takesArguments } from '../container-settings';
import { namesModel } from '../model-files';
import { profileOf } from '../runtime-detection';
import { findMeantImage } from './images';
import { type MemberCheck, containerPathOf, startPathOf } from './member-check';

/** Checks that the declared runtime is the one that the container starts. */
export const checkRuntimeMatches: MemberCheck = function* ({ engine, member }) {
  const { runtime } = engine;
  if (runtime === undefined || member.role === 'Worker') return;
  const started = findStartedProgram(member.template.spec.containers[0], Object.values(ENGINE_PROFILES));
  if (!started || started.profile.runtime === runtime) return;
  const what = `the runtime is ${runtime}, and the container starts '${started.program}' of ${started.profile.title}`;
  yield errorAt('contradiction', ['runtime'], what, `Set 'runtime: ${started.profile.runtime}', or remove it`);
};

/** Checks that the health check of an engine is known. */
export const checkHealthKnown: MemberCheck = function* (subject) {
  const { deployment, engine, member, serving } = subject;
  if (serving.health || deployment.spec.template.spec.healthCheck.enabled === false || member.role === 'Worker') return;
  const { by, evidence } = profileOf(deployment, engine);
  const what =
    by === 'nothing'
      ? `the runtime of image '${evidence}' is unknown, so its health check is unknown too`
      : `the health check of runtime ${evidence} is unknown`;
  const meant = by === 'nothing' ? findMeantImage(evidence) : undefined;
  const hint = meant === undefined ? UNKNOWN_HEALTH : `Use '${meant}', if you mean that image`;
  yield errorAt('unknown-health', containerPathOf(subject, ['image']), what, hint);
};

const UNKNOWN_HEALTH = "Set healthCheck.path, set 'runtime' to a known runtime, or set 'healthCheck.enabled: false'";

/** Checks that a container has a command if its image does not start an engine. */
export const checkEngineStarted: MemberCheck = function* (subject) {
  const { profile, invocation } = subject.settings;
  const { command = [], image } = subject.member.template.spec.containers[0];
  const [program] = profile.programs;
  if (startsAlone(image, profile) || program === undefined || invocation.form !== 'Hidden' || command.length > 0)
    return;
  if (isUnstartedWorker(subject)) return;
  const words = program.includes('.') ? `python3, -m, ${program}` : program.replaceAll(' ', ', ');
  const what = `the image of ${profile.title} does not start an engine by itself`;
  const hint = `Set 'command: [${words}]', and its arguments in args`;
  yield warningAt('no-command', containerPathOf(subject, ['image']), what, hint);
};

/** Checks that an engine that needs a model gets one. */
export const checkModelNamed: MemberCheck = function* (subject) {
  const { settings, files } = subject;
  const { model, title } = settings.profile;
  if (model.without === undefined || !settings.complete || namesModel(settings)) return;
  if (files.unresolved || isUnstartedWorker(subject)) return;
  if (files.model !== undefined && takesArguments(settings)) return;
  const [flag] = model.flags;
  const asFlag = flag === undefined || model.positional ? 'as its first argument' : `with ${flag}`;
  yield errorAt(
    'no-model',
    startPathOf(subject),
    `no model set: ${title} ${model.without}`,
    files.model === undefined
      ? `Set the model ${asFlag}, or set modelCacheRef`
      : `Set ${files.model}, the path of its cache, ${asFlag}: Fleetwright does not change scripts`,
  );
};

/** Whether a member is a Worker with neither command nor args that does not start as its Leader does. */
function isUnstartedWorker({ engine, member }: Parameters<MemberCheck>[0]): boolean {
  const { command, args } = member.template.spec.containers[0];
  return member.role === 'Worker' && engine.bootstrap === 'None' && !command && !args;
}

/** Checks that a Worker with neither command nor args joins its Leader. Images of unknown runtimes may see to it. */
export const checkWorkerJoins: MemberCheck = function* (subject) {
  const { settings, files } = subject;
  const { model, title, bootstrap, entrypoint, programs } = settings.profile;
  if (!isUnstartedWorker(subject) || programs.length === 0) return;
  if (entrypoint && (model.without === undefined || !settings.complete || namesModel(settings))) return;
  const starts = entrypoint ? `starts ${title} alone and does not join its Leader` : `does not start an engine`;
  const what = `the Worker has neither command nor args, so its image ${starts}`;
  const own = 'the command or the args that join it to its Leader';
  const hint = bootstrap
    ? `Set 'bootstrap: Auto' of the engine to start it like its Leader, or set ${own}`
    : `Set ${own}`;
  const report = entrypoint && files.model === undefined ? errorAt : warningAt;
  yield report('no-bootstrap', startPathOf(subject), what, hint);
};

/** Checks that the bootstrap of a gang can be added to its containers. */
export const checkBootstrapWritable: MemberCheck = function* (subject) {
  const { deployment, engine, member, settings } = subject;
  const { profile } = settings;
  if (engine.bootstrap === 'None' || profile.operated) return;
  if (!profile.bootstrap) {
    if (member.role === 'Worker') return;
    const what = `${profile.title} does not run one engine on several nodes`;
    const hint = "Set 'bootstrap: None', and start the gang in its containers";
    yield errorAt('no-bootstrap', ['bootstrap'], what, hint);
  } else if (usesRay(deployment, engine) ? hasCommand(subject) : !takesArguments(settings)) {
    const what = `the arguments with which the nodes of the gang find each other cannot be added to this command`;
    const hint =
      "Move the arguments to args, or set 'bootstrap: None' and use the variables FLEETWRIGHT_* in the command";
    yield errorAt('no-bootstrap', startPathOf(subject), what, hint);
  }
};

function hasCommand({ member }: Parameters<MemberCheck>[0]): boolean {
  const { command, args } = member.template.spec.containers[0];
  return command !== undefined || (member.role === 'Worker' && args !== undefined);
}

/** Checks that an engine of a pair supports its phase and transfers prompts. */
export const checkPhaseSupported: MemberCheck = function* (subject) {
  const { engine, settings } = subject;
  const phase = pairPhaseOf(engine);
  const { disaggregation, title } = settings.profile;
  if (!phase) return;
  if (!disaggregation) {
    if (subject.member.role === 'Worker') return;
    const what = `${title} does not support a single phase of requests`;
    yield errorAt('no-phases', ['phase'], what, "Use vLLM or SGLang, or 'serving.mode: Unified'");
    return;
  }
  const missing = disaggregation.flags[phase].filter(([flag]) => !findSetting(settings, { flags: [flag] }));
  if (missing.length === 0 || !settings.complete || takesArguments(settings)) return;
  const words = missing.map(([flag, value]) => (value.includes('"') ? `${flag} '${value}'` : `${flag} ${value}`));
  const what = `the script does not make ${title} transfer its KV cache, and Fleetwright does not change scripts`;
  yield warningAt('no-transfer', startPathOf(subject), what, `Add ${words.join(' ')}`);
};

/** Finds gangs whose pods run two images. The releases of an engine do not join each other. */
export const checkSameImages: MemberCheck = function* (subject) {
  const { engine, member } = subject;
  if (member.role !== 'Leader') return;
  const { image } = member.template.spec.containers[0];
  const others = engine.members.map((one) => one.template.spec.containers[0].image);
  const other = others.find((one) => one !== image);
  if (other === undefined) return;
  const what = `the leader of engine '${engine.name}' runs image ${image}, and its workers run ${other}`;
  yield warningAt('contradiction', containerPathOf(subject, ['image']), what, 'Set both to the same image');
};
