/**
 * Mistakes that a run can be asked to make in the product as it loads it (`FLEETWRIGHT_MUTATE=capacity`), to see that
 * the comparison of that name finds them. Nothing on the disk changes.
 */
module.exports = {
  field: {
    file: 'src/render/deployment.ts',
    from: 'progressDeadlineSeconds:',
    to: 'progressDeadlineSecond:',
  },
  capacity: {
    file: 'src/scheduler/capacity.ts',
    from: 'spoiled(amounts, load, present) + 1',
    to: 'spoiled(amounts, load, present)',
  },
  surge: {
    file: 'src/scheduler/compile-workloads.ts',
    from: '(copies + surge) * nodes',
    to: 'copies * nodes',
  },
  operator: {
    file: 'src/cel/library-kubernetes.ts',
    from: 'a.order(b) > 0',
    to: 'a.order(b) >= 0',
  },
};
