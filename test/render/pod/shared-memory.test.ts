import { renderSharedMemory } from '../../../src/render/pod/shared-memory';
import type { ComputedMember } from '../../../src/replicas/replica';
import { aReplica, withContainer } from '../build';

/** A member whose container requests and limits this much memory. */
function member(requested?: string, limit?: string): ComputedMember {
  const resources = { limits: { ...(limit !== undefined && { memory: limit }) } };
  const [own] = aReplica(withContainer({ resources })).engines[0]!.members;
  return { ...own!, requests: { ...(requested !== undefined && { memory: requested }) } };
}

describe('shared memory', () => {
  const cases: Record<string, { of: ComputedMember; want: string | undefined }> = {
    'is half of what the container requests': { of: member('200Gi'), want: '100Gi' },
    'is half of its limit where there is one': { of: member('10Gi', '20Gi'), want: '10Gi' },
    'is in the largest unit that keeps it whole': { of: member('4Ti'), want: '2Ti' },
    'is in no larger unit than that': { of: member('3Gi'), want: '1536Mi' },
    'is whole mebibytes, and never none': { of: member('1000k'), want: '1Mi' },
    'is what the node has where neither is known': { of: member(), want: undefined },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    const { volume, mount } = renderSharedMemory(of);
    const sizeLimit = want === undefined ? {} : { sizeLimit: want };
    expect(volume).toEqual({ name: 'shared-memory', emptyDir: { medium: 'Memory', ...sizeLimit } });
    expect(mount).toEqual({ name: 'shared-memory', mountPath: '/dev/shm' });
  });
});
