// What `plan` loads on first use: comparisons with other states, and the views besides text and JSON.
export { findMoreNodes } from '../analyze/survive/more-nodes';
export { countReplacedReplicas } from '../diff/fleet-diff';
export { findChangeWarnings } from '../diff/change-warnings';
export { findGateFindings, findWorseTools } from '../diff/gate-findings';
export { findReplacedClusters } from '../diff/cloud-changes';
export { findShrunkVolumes } from '../diff/shrunk-volumes';
export { formatMoreNodes } from '../report/analyze/survival-text';
export { formatCostChangeTables } from '../report/cost/cost-changes-tables';
export { formatCostChanges } from '../report/cost/cost-changes-text';
export { diffBlocks } from '../report/diff/diff-text';
export { formatGateFindings, formatGateVerdict, toGateProblems } from '../report/diff/gate-text';
export { buildMapData } from '../report/map/build-map-data';
export { formatMapPage } from '../report/map/map-page';
export { formatFleetGraph } from '../report/plan/fleet-graph';
export { formatReleases } from '../report/plan/releases-text';
export { formatPullRequestComment, formatRefusedComment } from '../report/pull-request/comment';
export { compareAgainst } from './compare-against';
export { createSourceLinks } from './source-links';
