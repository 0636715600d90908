import { checkExamples, fleetwright, listExamples } from './example-rows';

checkExamples(listExamples().manifests);

test('the shortfall names, for every cluster and pool, the first reason and the numbers', () => {
  const { out } = fleetwright('plan', 'examples/does-not-fit');
  expect(out).toContain(`  ml/llama-70b   1 of 2 replicas has a place
    + eks-us-east/0   pool p5en: 1 whole node (8 gpu)
    ! 1 replica does not fit (0 of 3 clusters fit: 1 without room, 1 without matching devices, 1 with a taint)
        eks-us-east / p5en    capacity   needs 8 gpu on one node; 0 of 4 nodes can guarantee it; 11 of 32 devices are in use; 21 are free, but the cluster chooses the nodes of pods, and may leave too few on every node
        gke-us-central / l4   devices    gpu: memory 23034Mi is less than 40Gi   (selector 1)
        onprem                taint      the taint maintenance=true:NoSchedule is not tolerated
        cheapest: set packing: BinPack on eks-us-east / p5en ($0), once an administrator has configured the scheduler of eks-us-east to pack pods
        or: 1 more node in eks-us-east / p5en (8 GPUs, +$46,206 a month)
        or: tolerate maintenance=true:NoSchedule on onprem
        or, not tried: separate pools for small and large replicas (a second pool of the class of eks-us-east / p5en with 1 of its 4 nodes)

`);
  expect(out).toMatch(/\nTotal: 4 placed, 1 does not fit\.\n$/);
});
