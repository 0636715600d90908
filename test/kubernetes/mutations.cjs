/**
 * Mistakes that a run can be asked to make in the product as it loads it (`FLEETWRIGHT_MUTATE=capacity`), to see that
 * the comparison of that name finds them. Nothing on the disk changes.
 */
module.exports = {
  field: {
    file: 'src/render/workloads.ts',
    from: 'progressDeadlineSeconds:',
    to: 'progressDeadlineSecond:',
  },
  capacity: {
    file: 'src/scheduler/packing/worst-case.ts',
    from: 'countBlockedNodes(amounts, load, present) + 1',
    to: 'countBlockedNodes(amounts, load, present)',
  },
  surge: {
    file: 'src/scheduler/compile/compile-deployments.ts',
    from: '(copies + surge) * nodes',
    to: 'copies * nodes',
  },
  quota: {
    file: 'src/render/queue-objects.ts',
    from: 'counts.reduce((sum, count) => sum + count, 0) * nodes)',
    to: 'counts.reduce((sum, count) => sum + count, 0) * nodes - 1)',
  },
  packed: {
    file: 'src/scheduler/packing/packings.ts',
    from: 'KAI: countNodesWorstCase',
    to: 'KAI: (amounts, loads) => countNodesBinPacked(amounts, loads)',
  },
  operator: {
    file: 'src/cel/library/kubernetes-types.ts',
    from: 'a.order(b) > 0',
    to: 'a.order(b) >= 0',
  },
};
