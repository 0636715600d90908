// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

export type * from './fleet';
export type * from './inference-class';
export type * from './inference-cluster';
export type * from './inference-gateway';
export type * from './model-cache';
export type * from './model-deployment';
export type * from './model-service';
export type * from './model-endpoint';
export type * from './grant';
export type * from './shared';
export type * from './known-names';
