export { explainMismatch } from './explain/explain-mismatch';
export { toNormalForm } from './normal-form';
export { relaxSelector } from './explain/relax-selector';
export { compileSelector } from './selector';
