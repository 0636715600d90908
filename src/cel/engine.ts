export { explainMismatch } from './explain';
export { normalForm } from './normal-form';
export { relax } from './relax';
export { compileSelector } from './selector';
