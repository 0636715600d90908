import { describeEngines } from '../../src/analyze/explain/engine-views';
import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { assemble } from '../../src/fleet/fleet';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { STAGE_SCRIPT, WAIT_SCRIPT } from '../../src/render/cache/staging-scripts';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc } from '../api/build';
import { ofKind } from '../render/build';
import { cacheOf, environmentOf, jobOf } from '../render/cache/build';

const BOX = aClass('box', { node: { allocatable: { cpu: '100', memory: '1000Gi' } } });
const LAB = aCluster('lab', {
  pools: { box: { nodeCount: 1, taints: [{ key: 'gpu', value: 'only', effect: 'NoSchedule' }] } },
  storage: { sharedFilesystem: { storageClassName: 'nfs' } },
});
const WEIGHTS = aCache('ml/weights');

function decided(...resources: Resource[]): Decision {
  return decide(assemble([BOX, LAB, ...resources]), byPath, EMPTY_LOCK);
}

/** What lands on the only cluster. */
function landing(...resources: Resource[]): Manifest[] {
  const { fleet, replicas } = decided(...resources);
  return renderCluster(LAB, replicas, { fleet });
}

/** The pods of Deployments, Jobs and CronJobs. */
function podsIn(manifests: readonly Manifest[]): Doc[] {
  return manifests.flatMap(({ spec = {} }) => {
    const { template, jobTemplate } = spec as { template?: { spec: Doc }; jobTemplate?: Doc };
    const nested = jobTemplate as { spec: { template: { spec: Doc } } } | undefined;
    return [template?.spec, nested?.spec.template.spec].filter((pod) => pod !== undefined);
  });
}

function scripted(phase: string, script: string): Doc {
  const container = { name: 'engine', image: 'lmsysorg/sglang:v0.5', command: ['bash', '-c', script] };
  const members = [aMember({ template: { spec: { containers: [container] } } })];
  return anEngine(phase.toLowerCase(), { phase, members });
}

function vllm(phase: string, ...args: string[]): Doc {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m', ...args] };
  const members = [aMember({ template: { spec: { containers: [container] } } })];
  return anEngine(phase.toLowerCase(), { phase, members });
}

const script = (rest: string) => `exec python3 -m sglang.launch_server --model-path m --host 0.0.0.0 ${rest}`;

const pair = (...engines: Doc[]): Resource => aDeployment('ml/pair', { serving: { mode: 'PrefillDecode' }, engines });

describe('what the peer gets wrong, and we do not:', () => {
  test('another revision is staged next to the old one, and the marker says which it is', () => {
    const [before, after] = ['v1', 'v2'].map((revision) =>
      jobOf(cacheOf({ huggingFace: { repo: 'a/b', revision } })),
    ) as [ReturnType<typeof jobOf>, ReturnType<typeof jobOf>];
    expect(after.job.metadata.name).not.toBe(before.job.metadata.name);
    const [old, now] = [before, after].map(({ container }) => environmentOf(container)['FOLDER']);
    expect(now).not.toBe(old);
    expect(STAGE_SCRIPT).toContain('echo "folder=${FOLDER##*/}"');
  });

  test('a Job that failed stays so: it is tried some times, and not made again', () => {
    const { job } = jobOf(cacheOf({ huggingFace: { repo: 'a/b' } }));
    expect(job.spec).toMatchObject({ backoffLimit: 6 });
    expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished');
  });

  test.each(['$(touch x)', `a'; touch x #`])('a revision %s is never read as code', (revision) => {
    const { container } = jobOf(cacheOf({ huggingFace: { repo: 'a/b', revision } }));
    expect(JSON.stringify([container.command, container.args])).not.toContain('touch');
    expect(environmentOf(container)).toMatchObject({ REPO: 'a/b', REVISION: revision });
  });

  test('the name of a repository cannot be code', () => {
    expect(() => cacheOf({ huggingFace: { repo: `a/b'; touch x #` } })).toThrow('is not a repository of Hugging Face');
  });

  test('a rollout needs no room that a full pool has not, and takes one replica after the other', () => {
    const full = aDeployment('ml/q', { replicas: 2, engines: [anEngine('main', { gpus: 4 })] });
    const manifests = ofKind(landing(full), 'Deployment');
    for (const { spec } of manifests) {
      expect(spec!['strategy']).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
      });
    }
    const waves = manifests.map(({ metadata }) => metadata.annotations?.['argocd.argoproj.io/sync-wave']);
    expect(new Set(waves).size).toBe(2);
  });

  test('the block size of an engine that a script starts is that of the script', () => {
    const [prefill, decode] = ['--page-size 32', '--port 8001 --page-size=32'].map(script);
    const deployment = pair(scripted('Prefill', prefill!), scripted('Decode', decode!));
    const views = describeEngines(deployment as ModelDeployment, { caches: [] });
    expect(views.map(({ blockSize }) => blockSize)).toEqual([32, 32]);
  });

  test('a port that is no number is an error with its place, and nothing breaks on it', () => {
    const misspelt = pair(vllm('Prefill'), vllm('Decode', '--port', 'http'));
    expect(() => decided(misspelt)).toThrow(
      "ModelDeployment ml/pair spec.template.spec.engines.1.members.0.template.spec.containers.0.args.2: 'http' of --port is not a port. Use a whole number from 1 to 65535.",
    );
  });

  test('every container asks for CPU and memory, and what stages a cache runs where engines may', () => {
    const manifests = landing(WEIGHTS, aDeployment('ml/q', { cache: 'weights' }));
    const pods = podsIn(manifests);
    expect(pods).toHaveLength(3);
    for (const { containers, initContainers = [], tolerations } of pods) {
      for (const { resources } of [...(containers as Doc[]), ...(initContainers as Doc[])]) {
        const requests = expect.objectContaining({
          cpu: expect.any(String),
          memory: expect.any(String),
        }) as unknown;
        expect(resources).toMatchObject({ requests });
      }
      expect(tolerations).toContainEqual({
        key: 'gpu',
        operator: 'Equal',
        value: 'only',
        effect: 'NoSchedule',
      });
    }
  });

  test('no engine starts before its cache is staged', () => {
    const manifests = landing(WEIGHTS, aDeployment('ml/q', { cache: 'weights' }));
    const [engine] = podsIn(ofKind(manifests, 'Deployment')) as [{ initContainers: [Doc] }];
    const [job] = podsIn(ofKind(manifests, 'Job')) as [{ containers: [Parameters<typeof environmentOf>[0]] }];
    const folder = environmentOf(job.containers[0])['FOLDER']!.split('/').at(-1);
    expect(engine.initContainers[0]).toMatchObject({
      command: ['sh', '-c', WAIT_SCRIPT, 'wait'],
      args: [`/cache/model-cache/${folder}`],
    });
    expect(engine.initContainers[0]).not.toHaveProperty('restartPolicy');
  });
});
