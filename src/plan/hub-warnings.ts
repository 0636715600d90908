import type { Fault } from '../api/checks/fault';
import type { Engine } from '../api/engine';
import { resourceId } from '../api/kinds';
import { HUB_ENDPOINT, isAirGapped } from '../api/air-gapped';
import type { ModelDeployment } from '../api/model-deployment';
import { type Path, qualifiedName } from '../api/resource';
import { type Given, given, type Reading } from '../engine/arguments';
import { servingMember } from '../engine/recognise';
import { readingOf } from '../engine/serving';
import type { Fleet } from '../fleet';
import type { Placement } from '../scheduler/types';

/** Engines that fetch their model from Hugging Face, on clusters that have a mirror in place of it, but not of that. */
export function hubWarnings({ deployments, clusters }: Fleet, placements: readonly Placement[]): Fault[] {
  const cut = clusters.filter((one) => isAirGapped(one) && one.spec.mirror.huggingFace === undefined);
  if (cut.length === 0) return [];
  return deployments.flatMap((deployment) => {
    const id = qualifiedName(deployment);
    const own = placements.filter((one) => one.deployment === id);
    const cluster = cut.find(({ metadata }) => own.some((one) => one.cluster === metadata.name));
    if (!cluster) return [];
    return deployment.spec.template.spec.engines.flatMap((engine, e) => {
      const fetched = fetchedModel(deployment, engine);
      if (!fetched) return [];
      return [
        {
          code: 'hub-out-of-reach',
          resource: deployment,
          path: ['spec', 'template', 'spec', 'engines', e, ...fetched.path],
          what: `engine '${engine.name}' fetches ${fetched.repository} from huggingface.co, which ${resourceId(cluster)} does not reach`,
          hint: 'Stage it with modelCacheRef, or name what answers like it at spec.mirror.huggingFace of the cluster',
        },
      ];
    });
  });
}

interface FetchedModel {
  readonly repository: string;
  readonly path: Path;
}

/** A repository, as engines tell one from a directory; llama.cpp takes a quantization of it too. */
const REPOSITORY = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(:[\w.-]+)?$/;

/** Flags of llama.cpp that name a repository: its others name files. */
const NAMES_REPOSITORY = /^--?hf/;

/** The model that an engine fetches by itself, where its container names one. From the place of the engine. */
function fetchedModel(deployment: ModelDeployment, engine: Engine): FetchedModel | undefined {
  const reading = readingOf(deployment, engine);
  if (reading.variables.has(HUB_ENDPOINT)) return undefined;
  const found = modelNamed(reading);
  if (found?.value === undefined || !REPOSITORY.test(found.value)) return undefined;
  if (!reading.profile.model.directory && !NAMES_REPOSITORY.test(found.name)) return undefined;
  const index = engine.members.indexOf(servingMember(engine));
  const container = ['members', index, 'template', 'spec', 'containers', 0];
  return { repository: found.value, path: [...container, ...found.path] };
}

function modelNamed(reading: Reading): Given | undefined {
  const { model } = reading.profile;
  const [first] = reading.positionals;
  return given(reading, model) ?? (first && { name: 'model', value: first.text, path: first.path });
}
