import { aCluster, type Doc } from '../../api/build';
import { ofKind } from '../build';
import { environmentOf, jobOf, QWEN, staged } from './build';

/** A cluster that has a mirror, of what the row says. */
const apart = (mirror: Doc) =>
  aCluster('apart', {
    pools: { h100: 2 },
    storage: { sharedFilesystem: { storageClassName: 'nfs' } },
    mirror,
  });

const IMAGES = apart({ images: 'mirror.example.com' });
const HUB = apart({ huggingFace: 'https://hub.example.com' });

describe('on a cluster with a mirror', () => {
  test('what stages a cache, and what looks after it, is pulled from there', () => {
    const image = 'mirror.example.com/kserve/storage-initializer:v0.20.0';
    expect(jobOf(QWEN, { cluster: IMAGES }).container.image).toBe(image);
    const [sweep] = ofKind(staged(QWEN, { cluster: IMAGES }), 'CronJob');
    expect(sweep!.spec).toHaveProperty('jobTemplate.spec.template.spec.containers.0.image', image);
  });

  test('the Job of another image has another name, because its template is immutable', () => {
    const [own, theirs] = [jobOf(QWEN), jobOf(QWEN, { cluster: IMAGES })];
    expect(theirs.job.metadata.name).not.toBe(own.job.metadata.name);
  });

  test('models are asked of its hub, and are the same ones', () => {
    const [own, theirs] = [jobOf(QWEN), jobOf(QWEN, { cluster: HUB })].map(({ container }) => environmentOf(container));
    expect(own).not.toHaveProperty('HF_ENDPOINT');
    expect(theirs).toEqual({ ...own, HF_ENDPOINT: 'https://hub.example.com' });
  });
});
