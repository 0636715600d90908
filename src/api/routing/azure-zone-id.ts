/** The format of the resource ID of a zone in Azure. */
const AZURE_ZONE_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/dns[zZ]ones\/([^/]+)$/;

/** The resource group and the name of a zone, from its resource ID in Azure. Undefined for other texts. */
export function parseAzureZoneId(id: string): { readonly group: string; readonly zone: string } | undefined {
  const [, group, zone] = AZURE_ZONE_ID.exec(id) ?? [];
  return group === undefined || zone === undefined ? undefined : { group, zone };
}
