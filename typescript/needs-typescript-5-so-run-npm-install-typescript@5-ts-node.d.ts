// What compilers before TypeScript 5 find in place of the types of this package, which they cannot read. Pulumi brings
// TypeScript 3.8 for folders that have none of their own, and names the path of this file in its error.
//
//     npm install --save-dev typescript@5 ts-node @types/node
declare const fleetwrightNeedsTypeScript5: never;
