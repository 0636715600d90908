export { explainMismatch } from './explain';
export { relax } from './relax';
export { compileSelector } from './selector';
